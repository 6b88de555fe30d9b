// Starts a PostgreSQL program: as the account that may run it, in a session of its own so that Ctrl-C at the
// terminal reaches only us, with an environment that carries none of our secrets, and, where `setpriv` is
// installed, tied to our life: if we are killed, the kernel sends it SIGINT.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import type { Account } from './location.ts'

export type Launched = {
  process: ChildProcess
  // How it ended, in words for a sentence: `code 0`, `signal SIGKILL`. It never rejects.
  ended: Promise<string>
}

export async function launch(
  program: string,
  programArguments: string[],
  options: { runAs: Account | undefined; logFd: number; timeoutMs?: number },
): Promise<Launched> {
  const { runAs, logFd, timeoutMs } = options
  // The kernel forgets the tie when a process changes its account, so setpriv has to do both.
  const tie = ['--pdeathsig', 'INT', ...(runAs === undefined ? [] : accountFlags(runAs))]
  const tied = await succeeds('setpriv', [...tie, 'true'])
  const [command, commandArguments] = tied
    ? ['setpriv', [...tie, program, ...programArguments]]
    : [program, programArguments]
  const child = spawn(command, commandArguments, {
    // Ours may be closed to the account.
    cwd: '/',
    env: ENVIRONMENT,
    detached: true,
    stdio: ['ignore', logFd, logFd],
    ...(tied || runAs === undefined ? {} : runAs),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs, killSignal: 'SIGKILL' }),
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal === null ? `code ${code}` : `signal ${signal}`))
  })
  return { process: child, ended }
}

function accountFlags({ uid, gid }: Account): string[] {
  return ['--reuid', String(uid), '--regid', String(gid), '--clear-groups']
}

function succeeds(command: string, commandArguments: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, commandArguments, { cwd: '/', env: ENVIRONMENT }, (error) => resolve(error === null))
  })
}

// TZ saves initdb the search for a zone that looks like the machine's.
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}
