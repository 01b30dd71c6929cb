package pgserver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// An account is the user a server runs as; nil means the user of this process.
// PostgreSQL refuses to run as root.
type account struct {
	name     string
	uid, gid int
}

// accountFor returns the account for the data in a folder, which need not exist: the owner
// of the folder, or else the best account there is.
func accountFor(folder string) (*account, error) {
	me := os.Geteuid()
	owner, gid, err := ownerOf(folder)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err == nil && me != 0 && owner != me:
		return nil, fmt.Errorf("%s belongs to user %s: run as that user or as root, or name another data folder", folder, nameOf(owner))
	case me != 0:
		return nil, nil
	case err == nil && owner != 0:
		return &account{nameOf(owner), owner, gid}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.Atoi(u.Uid)
		gid, err2 := strconv.Atoi(u.Gid)
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("user %s: %w", name, err)
		}
		return &account{name, uid, gid}, nil
	}
	return nil, errors.New("root may not run PostgreSQL, and there is no user postgres or nobody to run it as")
}

// attributes returns the attributes of a child process that runs as the account. The child is
// detached from the terminal, because this process handles interrupts typed there.
func (a *account) attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if a != nil {
		attr.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
	}
	return attr
}

// own sets the account as the owner of a file.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, a.uid, a.gid)
}

// ownAll makes the account the owner of a folder and its contents.
func (a *account) ownAll(ctx context.Context, folder string) error {
	if a == nil {
		return nil
	}
	return run(ctx, "chown", "-R", fmt.Sprintf("%d:%d", a.uid, a.gid), folder)
}

// enters reports whether the account can enter the folder. The mode of the folder does not
// tell all, so a child process of the account tries it.
func (a *account) enters(folder string) (bool, error) {
	if a == nil {
		return true, nil
	}
	cmd := exec.Command("/bin/true")
	cmd.Dir = folder
	cmd.SysProcAttr = a.attributes()
	err := cmd.Run()
	if errors.Is(err, fs.ErrPermission) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("user %s entering %s: %w", a.name, folder, err)
	}
	return true, nil
}

func ownerOf(path string) (uid, gid int, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, 0, err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, fmt.Errorf("%s: no owner is known", path)
	}
	return int(stat.Uid), int(stat.Gid), nil
}

func nameOf(uid int) string {
	u, err := user.LookupId(strconv.Itoa(uid))
	if err != nil {
		return strconv.Itoa(uid)
	}
	return u.Username
}
