#!/bin/sh
# Makes a stand-in for the official Node image, under its name, from files of this Debian and the project's own Node, so that
# the Dockerfile can be built without a registry. Arguments: the image's name, the program node, the folder of npm.
set -eu
name=$1 node=$2 npm=$3
container=$(buildah from scratch)
root=$(buildah mount "$container")
mkdir -p "$root/usr/bin" "$root/usr/lib" "$root/usr/sbin" "$root/usr/local/bin" "$root/usr/local/lib/node_modules"
mkdir -p "$root/etc" "$root/root" "$root/proc" "$root/dev" "$root/tmp"
chmod 1777 "$root/tmp"
for directory in bin lib sbin; do ln -s "usr/$directory" "$root/$directory"; done
# What node, npm and the steps of the Dockerfile need: a libc, a shell, cp and rm.
dpkg-query -L libc6 libstdc++6 libgcc-s1 libatomic1 libc-bin dash coreutils libacl1 libattr1 libselinux1 libpcre2-8-0 libgmp10 \
  | grep -E '^/(usr/)?(bin|lib|sbin)/' | sed -E 's,^/(bin|lib|sbin)/,/usr/\1/,' | sort -u \
  | while read -r file; do if [ -L "$file" ] || [ -f "$file" ]; then echo "$file"; fi; done \
  | tar -C / --no-recursion -cf - -T - 2>/dev/null | tar -C "$root" --no-same-owner -xf -
[ -e "$root/usr/bin/sh" ] || ln -s dash "$root/usr/bin/sh"
cp "$node" "$root/usr/local/bin/node"
cp -r "$npm" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
printf 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n' > "$root/etc/passwd"
printf 'root:x:0:\nnode:x:1000:\n' > "$root/etc/group"
buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
buildah commit --quiet --rm "$container" "$name"
