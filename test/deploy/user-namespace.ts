// Programs that are root in a world of their own and nobody outside it, as in rootless containers. Who runs the tests as root
// has no subordinate ids, so an id without any rights is taken and the ids after it are its subordinates.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, readlinkSync, writeFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { eventually } from '../world.ts'

// No account of a usual system has these.
const FIRST_ID = 2_000_000_000
const IDS = 65_536
const isRoot = process.getuid?.() === 0

export type Ended = { code: number | null; output: string }

// For a user of their own, buildah takes the ids that /etc/subuid gives them.
export async function spawnRootless(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ChildProcess> {
  if (!isRoot)
    return spawn('buildah', ['unshare', ...command], { env, stdio: ['ignore', 'pipe', 'pipe', 'ignore'] })
  const id = String(FIRST_ID)
  // It waits until its ids are mapped, which only we may do. Every step replaces the one before, so signals reach the last.
  const child = spawn(
    'setpriv',
    [
      ...['--reuid', id, '--regid', id, '--clear-groups', 'unshare', '--user', '--mount', '--'],
      ...['sh', '-c', 'read -r go <&3; exec 3<&-; exec "$@"', 'sh', ...command],
    ],
    { env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  )
  const user = (of: string): string => readlinkSync(`/proc/${of}/ns/user`)
  await eventually(
    async () => user(String(child.pid)),
    (own) => own !== user('self'),
  )
  for (const map of ['uid_map', 'gid_map'])
    writeFileSync(`/proc/${child.pid}/${map}`, `0 ${FIRST_ID} ${IDS}\n`)
  const gate = child.stdio[3] as Writable
  gate.end('go\n')
  return child
}

export async function runRootless(command: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const child = await spawnRootless(command, env)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

/** Gives a directory to whoever is root in there. */
export function giveToRootless(path: string): void {
  if (isRoot) chownSync(path, FIRST_ID, FIRST_ID)
}

/** Ids as the host sees them. */
export function hostId(id: number): number {
  return isRoot ? FIRST_ID + id : id
}
