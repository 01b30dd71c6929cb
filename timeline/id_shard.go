package timeline

import (
	"context"
	"fmt"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Shards is the number of shards that ids can name: a primary has one from 0 up to this
// number, exclusive.
const Shards = 1 << (idShift - sequenceBits)

// Shard returns the shard of the primary that made the post.
func (id PostID) Shard() int { return shardOf(int64(id)) }

// Shard returns the shard of the primary that made the comment.
func (id CommentID) Shard() int { return shardOf(int64(id)) }

func shardOf(id int64) int { return int(id >> sequenceBits % Shards) }

// SetShard sets the shard of the primary, which each id that is made from now on names.
// Primaries whose posts are to be merged need different ones. It returns an
// [InvalidError] if ids can't name the shard.
func (s *Store) SetShard(ctx context.Context, shard int) (err error) {
	defer primary.Wrap(&err, "set the shard %d", shard)
	const query = `update id_generator set shard = $1`
	if shard < 0 || shard >= Shards {
		return &InvalidError{Field: "shard", Reason: fmt.Sprintf("is a number from 0 to %d", Shards-1), Code: "number"}
	}
	_, err = s.db.Pool.Exec(ctx, query, shard)
	return err
}
