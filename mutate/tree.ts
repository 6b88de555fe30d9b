// A copy of the project in which one mutant lives, so that several run at once and the working tree is never touched. The
// files are copied, not linked: a test that writes into its tree must not write into ours. Installed packages are linked, but
// for our own workspaces, which have to be those of the copy.

import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

export const CACHE = '.mutate'
const LEFT_OUT = ['.git', 'node_modules', '.recaudo', CACHE]

export function makeTree(root: string, name: string): string {
  const tree = join(root, CACHE, 'trees', name)
  rmSync(tree, { recursive: true, force: true, maxRetries: 5 })
  mkdirSync(tree, { recursive: true })
  // With their times: what was built from a source has to look newer than it.
  for (const entry of readdirSync(root).filter((one) => !LEFT_OUT.includes(one)))
    cpSync(join(root, entry), join(tree, entry), {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('/node_modules'),
    })
  linkPackages(join(root, 'node_modules'), join(tree, 'node_modules'))
  return tree
}

function linkPackages(from: string, to: string): void {
  if (!existsSync(from)) return
  mkdirSync(to)
  for (const name of readdirSync(from).filter((one) => one !== '.cache')) {
    const path = join(from, name)
    if (lstatSync(path).isSymbolicLink()) symlinkSync(readlinkSync(path), join(to, name))
    else if (name.startsWith('@')) linkPackages(path, join(to, name))
    else symlinkSync(path, join(to, name))
  }
}

export function putFile(tree: string, file: string, text: string): void {
  rmSync(join(tree, file))
  writeFileSync(join(tree, file), text)
}

// A workspace is used as it was built: the mutant has to get into what is built. False where it cannot be built.
export function rebuild(tree: string, file: string): boolean {
  const [workspace = ''] = file.split('/')
  const manifest = join(tree, workspace, 'package.json')
  if (!existsSync(manifest)) return true
  const { scripts } = JSON.parse(readFileSync(manifest, 'utf8')) as { scripts?: { build?: string } }
  if (scripts?.build === undefined) return true
  relax(join(tree, workspace, 'tsconfig.json'))
  try {
    execFileSync('npm', ['run', 'build', '--silent'], { cwd: join(tree, workspace), stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

// A name that is no longer used is no bug, and must not keep the mutant from being built.
function relax(settings: string): void {
  if (!existsSync(settings)) return
  const text = readFileSync(settings, 'utf8').replaceAll(/("noUnused\w+": )true/g, '$1false')
  writeFileSync(settings, text)
}
