package timeline

import (
	"context"
	"fmt"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Shards is the number of shards: a primary has a shard from 0 to Shards-1.
const Shards = 1 << (idShift - sequenceBits)

// Shard returns the shard of the primary that made the post.
func (id PostID) Shard() int { return shardOf(int64(id)) }

// Shard returns the shard of the primary that made the comment.
func (id CommentID) Shard() int { return shardOf(int64(id)) }

func shardOf(id int64) int { return int(id >> sequenceBits % Shards) }

// SetShard sets the shard that all new ids of the primary name. Primaries need different shards
// if their posts are to be merged. SetShard returns an [InvalidError] for a shard below 0 or
// above the limit.
func (s *Store) SetShard(ctx context.Context, shard int) (err error) {
	defer primary.Wrap(&err, "set the shard %d", shard)
	const query = `update id_generator set shard = $1`
	if shard < 0 || shard >= Shards {
		return &InvalidError{Field: "shard", Reason: fmt.Sprintf("is a number from 0 to %d", Shards-1), Code: "number"}
	}
	_, err = s.db.Pool.Exec(ctx, query, shard)
	return err
}
