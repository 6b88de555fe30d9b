// The image, built from deploy/Dockerfile by buildah and run by crun without any rights on this machine: on a base that is made
// here under the official name, with npm's own cache in place of its registry. Nothing outside this machine is asked.

import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { childrenOf } from '../process/process.ts'
import { allowedSystemCalls, hasSystemdAnalyze } from './units.ts'
import { giveToRootless, runRootless, spawnRootless } from './user-namespace.ts'

const ROOT = join(import.meta.dirname, '../..')
const BASE = 'docker.io/library/node:26-slim'
const NAME = 'localhost/recaudo'
const TOOLS = ['buildah', 'crun', 'unshare', 'setpriv', 'dpkg-query', 'npm']

export type ImageConfig = {
  User: string
  WorkingDir: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  StopSignal: string
  Healthcheck: { Test: string[] }
  ExposedPorts: Record<string, unknown>
}

export type Container = {
  child: ChildProcess
  output: () => string
  ended: Promise<number | null>
  // Whatever it does. Undefined once it has ended.
  pid: () => number | undefined
  kill: () => Promise<void>
}

export type Image = AsyncDisposable & {
  config: ImageConfig
  // What we add to the base, as its layers are stored: not compressed.
  addedBytes: number
  // Of the files of ours in it.
  paths: string[]
  // With a read-only root file system, no capability, the network of this machine and, where systemd's tools are installed, the
  // filter of system calls that our units have.
  run: (env: Record<string, string>, args?: readonly string[]) => Promise<Container>
}

/** Why the image cannot be built here, as a line for whoever reads the log. */
export function missingForImages(): string | undefined {
  const missing = TOOLS.filter((tool) => pathOf(tool) === undefined)
  if (missing.length > 0)
    return `The image was not built: ${missing.join(', ')} not found (Debian: apt-get install buildah crun).`
  if (!existsSync(npmCache()))
    return 'The image was not built: npm has no cache here, and no registry is asked.'
  return undefined
}

/** Undefined if npm's cache lacks a package of the lockfile. */
export async function buildImage(): Promise<Image | undefined> {
  // An image is large, and its layers need a disk.
  const directory = mkdtempSync(join(existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), 'recaudo-image-'))
  await using onFailure = new AsyncDisposableStack()
  onFailure.defer(() => rmSync(directory, { recursive: true, force: true }))
  chmodSync(directory, 0o755)
  const place = (name: string): string => {
    const path = join(directory, name)
    mkdirSync(path)
    giveToRootless(path)
    return path
  }
  const home = place('home')
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: place('tmp'),
    BUILDAH_ISOLATION: 'chroot',
    STORAGE_DRIVER: 'overlay',
    CONTAINERS_STORAGE_CONF: writeStorage(directory, place('storage'), place('run')),
  }
  const inside = async (...command: string[]): Promise<string> => {
    const { code, output } = await runRootless(command, env)
    assert.equal(code, 0, output)
    return output
  }
  const node = join(ROOT, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  await inside(
    'sh',
    join(import.meta.dirname, 'base-image.sh'),
    BASE,
    existsSync(node) ? node : process.execPath,
    npmFolder(),
  )
  const built = await runRootless(
    [
      ...['buildah', 'build', '--pull-never', '--network', 'host', '--format', 'docker', '--tag', NAME],
      ...['--file', join(ROOT, 'deploy/Dockerfile')],
      ...['--ignorefile', join(ROOT, 'deploy/Dockerfile.dockerignore')],
      ...[
        '--build-arg',
        'NPM_FLAGS=--offline --cache /npm',
        '--volume',
        `${copyNpmCache(place('npm'))}:/npm`,
      ],
      ROOT,
    ],
    env,
  )
  if (built.output.includes('ENOTCACHED')) return undefined
  assert.equal(built.code, 0, built.output)
  const { Docker, Manifest } = JSON.parse(await inside('buildah', 'inspect', '--type', 'image', NAME))
  const [, ...added] = (JSON.parse(Manifest) as { layers: { size: number }[] }).layers
  const container = (await inside('buildah', 'from', '--pull-never', NAME)).trim()
  const list = 'root=$(buildah mount "$1"); cd "$root" && find app -type f -o -type l'
  const paths = (await inside('sh', '-c', list, 'sh', container)).trim().split('\n')
  const config = Docker.config as ImageConfig
  const done = onFailure.move()
  let runs = 0
  return {
    config,
    addedBytes: added.reduce((sum, { size }) => sum + size, 0),
    paths,
    run: async (settings, args = [...config.Entrypoint, ...config.Cmd]) => {
      runs += 1
      const bundle = place(`bundle-${runs}`)
      writeFileSync(join(bundle, 'template.json'), JSON.stringify(bundleOf(config, settings, args)))
      const child = await spawnRootless(
        ['sh', '-c', RUN, 'sh', container, bundle, `recaudo-${process.pid}-${runs}`],
        env,
      )
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (text) => (output += text))
      const ended = once(child, 'close').then(([code]) => code as number | null)
      // The only child of crun, which does not take it along when it is killed itself.
      const pid = () => (child.exitCode === null ? childrenOf(child.pid as number)[0] : undefined)
      const kill = async () => {
        const service = pid()
        if (service !== undefined) process.kill(service, 'SIGKILL')
        await ended
      }
      return { child, output: () => output, ended, pid, kill }
    },
    [Symbol.asyncDispose]: () => done.disposeAsync(),
  }
}

// Crun looks at the control groups of this machine, which it needs none of and does not know in every arrangement.
const RUN = `
set -eu
mount -t tmpfs none /sys/fs/cgroup
root=$(buildah mount "$1")
sed "s,THE_ROOT,$root," "$2/template.json" > "$2/config.json"
exec crun --cgroup-manager=disabled --root "$2/state" run --bundle "$2" "$3"
`

function bundleOf(config: ImageConfig, settings: Record<string, string>, args: readonly string[]): object {
  const [uid, gid] = config.User.split(':').map(Number)
  const none = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] }
  const tmpfs = (destination: string, mode: string) => ({
    destination,
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', `mode=${mode}`, 'size=64m'],
  })
  return {
    ociVersion: '1.0.2',
    process: {
      terminal: false,
      user: { uid, gid },
      args,
      env: [...config.Env, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)],
      cwd: config.WorkingDir,
      capabilities: none,
      noNewPrivileges: true,
    },
    root: { path: 'THE_ROOT', readonly: true },
    mounts: [
      // As the units have it: nothing but the service's own processes.
      {
        destination: '/proc',
        type: 'proc',
        source: 'proc',
        options: ['nosuid', 'noexec', 'nodev', 'subset=pid'],
      },
      tmpfs('/dev', '755'),
      tmpfs('/tmp', '1777'),
    ],
    linux: {
      namespaces: ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })),
      ...(hasSystemdAnalyze() && { seccomp: filterOfUnits() }),
    },
  }
}

// What the units for systemd let through, of the calls that this machine has.
function filterOfUnits(): object {
  return {
    defaultAction: 'SCMP_ACT_ERRNO',
    syscalls: [{ names: allowedSystemCalls(), action: 'SCMP_ACT_ALLOW' }],
  }
}

function writeStorage(directory: string, graphroot: string, runroot: string): string {
  const path = join(directory, 'storage.conf')
  writeFileSync(path, `[storage]\ndriver = "overlay"\ngraphroot = "${graphroot}"\nrunroot = "${runroot}"\n`)
  return path
}

function pathOf(tool: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(':')
  return folders.map((folder) => join(folder, tool)).find((path) => existsSync(path))
}

function npmFolder(): string {
  return dirname(dirname(realpathSync(pathOf('npm') ?? assert.fail('npm is not there'))))
}

function npmCache(): string {
  return join(process.env.npm_config_cache ?? join(homedir(), '.npm'), '_cacache')
}

// Npm writes into its index even when it is told to ask nobody, so the build has an index of its own. The packages are links
// to npm's own files where that is possible: those must keep their owner.
function copyNpmCache(to: string): string {
  const from = npmCache()
  const copy = join(to, '_cacache')
  mkdirSync(copy)
  execFileSync('cp', ['-r', join(from, 'index-v5'), copy])
  try {
    execFileSync('cp', ['-r', '--link', join(from, 'content-v2'), copy], { stdio: 'ignore' })
  } catch {
    execFileSync('cp', ['-r', join(from, 'content-v2'), copy])
  }
  giveToRootless(copy)
  for (const entry of globSync('**', { cwd: copy, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory() || path.startsWith(join(copy, 'index-v5'))) giveToRootless(path)
  }
  return to
}
