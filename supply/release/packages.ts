// The packages of a release: `npm pack` of the sdk and the cli, from copies of their files whose modes are set, so that neither the
// times of files nor the umask of whoever packs change a byte. npm writes one time for all of them. The same Node and npm give the
// same bytes; another npm may compress otherwise.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

export const PACKAGES = ['sdk', 'cli'] as const
const FILES = ['package.json', 'README.md', 'LICENSE', 'dist']
// What gzip says of the system it ran on: unknown.
const GZIP_SYSTEM_AT = 9
const UNKNOWN_SYSTEM = 255

// Builds and packs both into a directory. Returns the names of the files.
export function packPackages(root: string, into: string): string[] {
  build(root)
  return PACKAGES.map((name) => pack(join(root, name), into))
}

export function build(root: string): void {
  execFileSync(process.execPath, [join(root, 'cli/prepare.mjs')], { cwd: root, stdio: 'pipe' })
  for (const name of PACKAGES)
    if (!existsSync(join(root, name, 'dist'))) throw new Error(`${name} was not built: run npm ci first`)
}

// What was built.
export function pack(folder: string, into: string): string {
  const aside = mkdtempSync(join(tmpdir(), 'recaudo-pack-'))
  try {
    const copy = join(aside, 'package')
    mkdirSync(copy)
    for (const name of FILES) cpSync(join(folder, name), join(copy, name), { recursive: true })
    const bins = Object.values<string>(JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')).bin ?? {})
    for (const path of globSync('**/*', { cwd: copy }))
      chmodSync(
        join(copy, path),
        statSync(join(copy, path)).isDirectory() || bins.includes(path) ? 0o755 : 0o644,
      )
    const printed = execFileSync(
      'npm',
      ['pack', '--ignore-scripts', '--silent', '--pack-destination', into],
      { cwd: copy, encoding: 'utf8' },
    )
    return printed.trim().split('\n').at(-1) as string
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

// What a commit holds, as one file: git writes the commit's time for all of it.
export function archive(root: string, version: string): Buffer {
  const tar = execFileSync('git', ['archive', '--format=tar', `--prefix=recaudo-${version}/`, 'HEAD'], {
    cwd: root,
    maxBuffer: 1024 ** 3,
  })
  const zipped = gzipSync(tar, { level: 9 })
  zipped[GZIP_SYSTEM_AT] = UNKNOWN_SYSTEM
  return zipped
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

export function sha256Of(path: string): string {
  return sha256(readFileSync(path))
}
