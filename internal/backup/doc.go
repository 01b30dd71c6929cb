// Package backup makes and restores backups of a site: its primary, by pg_dump and pg_restore, and its uploaded files.
//
// A [Repository] holds the backups of one site, in a folder or in a bucket of an S3-compatible server:
//
//	20261126T031500Z/database.dump   the primary in one snapshot, which pg_restore reads
//	20261126T031500Z/files.txt       the files that rows of the snapshot name, and their sizes
//	20261126T031500Z/manifest.json   the checksums of the two, and what a restore has to know
//	files/…                          the files of all backups, each once, as package filestore keeps them
//
// Uploaded files never change, and are named by their bytes. So a backup copies only the files that no earlier backup
// in the repository has, and the name of a file is its checksum.
//
// The order of the work makes each backup whole or none. The snapshot comes first, so each file that a row of the
// snapshot names exists at that time. The manifest is written last: a backup without a manifest is an unfinished one,
// and the next run removes it. Files are removed from the repository only when no list of a backup names them.
package backup
