// Databases under /var/lib/recaudo whose data directory is gone can be removed, and no other: not one that is used, that runs, or
// of which nothing is known.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { chmod, link, mkdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, describe, it, type TestContext } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { cleanLeftovers, countLeftovers, listKeptElsewhere } from '../../src/embedded/leftovers.ts'
import { exists, isRoot, NOBODY, readLocation } from '../../src/embedded/location.ts'
import { startEmbeddedPostgres } from '../../src/embedded/postgres.ts'
import { printGreeting } from '../../src/operator/greeting.ts'

const root = mkdtempSync(join(tmpdir(), 'recaudo-leftovers-'))
after(() => rm(root, { recursive: true, force: true }))

const asRoot = { skip: isRoot() ? false : 'only root keeps databases elsewhere' }

describe('a database that is kept elsewhere', () => {
  it('is kept unless its data directory is gone, or has another one', async () => {
    const { locations, keep } = await place()
    const here = await keep('here', { folder: 'there', note: 'here' })
    const begun = await keep('begun', { folder: 'begun', begunNote: 'begun' })
    const noteless = await keep('noteless', { folder: 'noteless' })
    const unknown = await keep('unknown', {})
    const unreadable = await keep('unreadable', { secondName: 'alone' })
    await mkdir(join(unreadable, 'data-directory'))
    const moved = await keep('moved', { folder: 'away', isGone: true, secondName: 'noted' })
    const movedAndReplaced = await keep('movedtwo', { folder: 'again', note: 'other', secondName: 'noted' })
    const crashed = await keep('crashed', {
      folder: 'lost',
      isGone: true,
      secondName: 'alone',
      hasPidFile: true,
    })
    // Of a data directory on another disk there is no second name: it may only not be mounted, or be moved there.
    const unmounted = await keep('unmounted', { folder: 'disk', isGone: true })
    const movedElsewhere = await keep('elsewhere', { folder: 'left', note: 'other' })
    const gone = await keep('gone', { folder: 'deleted', isGone: true, secondName: 'alone' })
    const replaced = await keep('replaced', { folder: 'recreated', note: 'here', secondName: 'alone' })
    const halfway = await keep('halfway', { folder: 'interrupted', begunNote: 'here', isUnfinished: true })
    const inPlace = await keep('inplace', { folder: 'opened', hasCluster: true, secondName: 'alone' })
    await writeFile(join(locations, 'letter.txt'), 'mine')

    const states = Object.fromEntries(
      (await listKeptElsewhere(locations)).map(({ directory, state }) => [directory, state]),
    )
    assert.deepEqual(states, {
      [here]: 'in use',
      [begun]: 'in use',
      [noteless]: 'in use',
      [unknown]: 'unknown',
      [unreadable]: 'unknown',
      [moved]: 'moved',
      [movedAndReplaced]: 'moved',
      [crashed]: 'not stopped',
      [unmounted]: 'on another disk',
      [movedElsewhere]: 'on another disk',
      [gone]: 'gone',
      [replaced]: 'replaced',
      [halfway]: 'replaced',
      [inPlace]: 'replaced',
    })
    assert.equal(await countLeftovers(locations), 4)

    const leftovers = [gone, halfway, inPlace, replaced].sort()
    const listed = await cleanLeftovers(false, locations)
    assert.deepEqual(listed.map(({ directory }) => directory).sort(), leftovers)
    for (const one of listed) assert.match(one.clean, /^removed with --yes: /)
    for (const directory of Object.keys(states))
      assert.equal(await exists(directory), true, 'none is removed')

    const removed = await cleanLeftovers(true, locations)
    assert.deepEqual(removed.map(({ directory }) => directory).sort(), leftovers)
    for (const directory of Object.keys(states))
      assert.equal(await exists(directory), !leftovers.includes(directory), directory)
    assert.equal(await exists(join(locations, 'letter.txt')), true)
    assert.deepEqual(await cleanLeftovers(true, locations), [])
  })

  it('is kept while any process works in it, also without the file that names its server', async () => {
    const { locations, keep } = await place()
    const orphaned = await keep('orphaned', { folder: 'deleted', isGone: true, secondName: 'alone' })
    const orphan = spawn('sleep', ['60'], { cwd: join(orphaned, 'postgres'), stdio: 'ignore' })
    try {
      await once(orphan, 'spawn')
      assert.deepEqual(await cleanLeftovers(true, locations), [])
      assert.equal((await listKeptElsewhere(locations))[0]?.state, 'running')
    } finally {
      orphan.kill()
    }
    await once(orphan, 'exit')
    assert.equal((await cleanLeftovers(true, locations)).length, 1)
  })

  it('is looked at once more before it is removed, because others were removed meanwhile', async () => {
    const { locations, keep } = await place()
    const one = await keep('one', { folder: 'first', secondName: 'alone' })
    const other = await keep('other', { folder: 'second', secondName: 'alone' })
    // The note in the folder of each is a link into the other: when one is gone, the folder of the other has no other database.
    const folderOf = async (directory: string) =>
      (await readLocation(join(directory, 'data-directory'))) ?? ''
    await symlink(join(one, 'data-directory'), join(await folderOf(other), 'postgres.location'))
    await symlink(join(other, 'data-directory'), join(await folderOf(one), 'postgres.location'))
    assert.equal(await countLeftovers(locations), 2)
    assert.equal((await cleanLeftovers(true, locations)).length, 1)
    assert.equal((await listKeptElsewhere(locations))[0]?.state, 'in use')
  })

  it('is seen by root only, and whoever else asks is told so', asRoot, async () => {
    const { locations, keep } = await place()
    await keep('gone', { folder: 'deleted', isGone: true, secondName: 'alone' })
    await chmod(locations, 0o711)
    await chmod(root, 0o755)
    process.seteuid?.(NOBODY.uid)
    try {
      await assert.rejects(listKeptElsewhere(locations), /^EmbeddedPostgresFailure: Only root can look into/)
      assert.equal(await countLeftovers(locations), 0, 'which is no reason not to start')
    } finally {
      process.seteuid?.(0)
    }
  })

  it('is none where there is no such directory', async () => {
    assert.deepEqual(await listKeptElsewhere(join(root, 'none')), [])
    assert.equal(await countLeftovers(join(root, 'none')), 0)
  })

  it('is said at the start', (t) => {
    assert.doesNotMatch(greetingWith(t, 0), /Left over/)
    assert.match(
      greetingWith(t, 1),
      /^ {2}Left over {6}a database of data directories that are gone; `npx recaudo data clean`/m,
    )
    assert.match(greetingWith(t, 2), /^ {2}Left over {6}2 databases of /m)
  })
})

describe('a database of root’s', asRoot, () => {
  it('is kept while it runs and while its data directory is there, wherever that is moved, and left over after it', async (t) => {
    const closed = mkdtempSync(join(root, 'closed-'))
    await chmod(closed, 0o700)
    const dataDir = join(closed, 'data')
    const start = (at: string) =>
      startEmbeddedPostgres({ dataDir: at, settings: { fsync: 'off', shared_buffers: '16MB' } })
    const postgres = await start(dataDir)
    t.after(() => postgres[Symbol.asyncDispose]())
    const directory = dirname(postgres.cluster)
    t.after(async () => {
      await rm(directory, { recursive: true, force: true })
    })
    const stateNow = async () => (await listKeptElsewhere()).find((one) => one.directory === directory)?.state
    assert.equal(await stateNow(), 'running')
    await rename(dataDir, join(closed, 'aside'))
    assert.equal(await stateNow(), 'running', 'though its data directory is not where it was')
    await rename(join(closed, 'aside'), dataDir)
    await postgres[Symbol.asyncDispose]()
    assert.equal(await stateNow(), 'in use')

    const moved = join(closed, 'moved')
    await rename(dataDir, moved)
    assert.equal(await stateNow(), 'moved')
    await (await start(moved))[Symbol.asyncDispose]()
    const found = (await listKeptElsewhere()).find((one) => one.directory === directory)
    assert.deepEqual({ state: found?.state, at: found?.dataDirectory }, { state: 'in use', at: moved })
    assert.ok((found?.megabytes ?? 0) > 20)

    await rm(moved, { recursive: true })
    assert.equal(await stateNow(), 'gone')
    // Not where other tests keep theirs.
    const locations = mkdtempSync(join(root, 'locations-'))
    await rename(directory, join(locations, basename(directory)))
    assert.equal((await cleanLeftovers(true, locations)).length, 1)
    await assert.rejects(stat(join(locations, basename(directory))), { code: 'ENOENT' })
  })
})

type Kept = {
  // Whose it is.
  folder?: string
  isGone?: boolean
  // What the folder's notes name.
  note?: string
  begunNote?: string
  hasCluster?: boolean
  // The second name of its note: the note is still somewhere, or the second name is all there is.
  secondName?: 'noted' | 'alone'
  // Its database was never made.
  isUnfinished?: boolean
  hasPidFile?: boolean
}

async function place() {
  const locations = mkdtempSync(join(root, 'locations-'))
  const folders = mkdtempSync(join(root, 'folders-'))
  const keep = async (name: string, kept: Kept): Promise<string> => {
    const directory = join(locations, name)
    await mkdir(kept.isUnfinished ? directory : join(directory, 'postgres'), { recursive: true })
    if (kept.hasPidFile) await writeFile(join(directory, 'postgres', 'postmaster.pid'), `${2 ** 22 + 1}\n`)
    if (kept.secondName !== undefined) {
      const secondName = join(directory, 'postgres.location')
      await writeFile(secondName, directory)
      if (kept.secondName === 'noted') await link(secondName, join(folders, `note-${name}`))
    }
    if (kept.folder === undefined) return directory
    const folder = join(folders, kept.folder)
    await writeFile(join(directory, 'data-directory'), `${folder}\n`)
    if (kept.isGone) return directory
    await mkdir(folder)
    const notes = { 'postgres.location': kept.note, 'postgres.location.new': kept.begunNote }
    for (const [file, named] of Object.entries(notes))
      if (named !== undefined) await writeFile(join(folder, file), `${join(locations, named)}\nA sentence.\n`)
    if (kept.hasCluster) await mkdir(join(folder, 'postgres'))
    return directory
  }
  return { locations, keep }
}

function greetingWith(t: TestContext, leftovers: number): string {
  let printed = ''
  const write = t.mock.method(process.stdout, 'write', (text: string) => {
    printed += text
    return true
  })
  const parts = { api: false, workers: true, sandbox: false }
  printGreeting({ config: readConfig({}), parts, store: 'x', demo: null, tookMs: 1, leftovers })
  write.mock.restore()
  return printed
}
