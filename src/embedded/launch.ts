// Starts a PostgreSQL program as the account that may run it. It gets its own session, so that Ctrl-C at the
// terminal reaches only us, and an environment without our secrets. If `setpriv` is installed, the program is
// also tied to our process: if we are killed, the kernel sends it SIGINT.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import type { Account } from './location.ts'

export type Launched = {
  process: ChildProcess
  // How it ended, as part of a sentence: `code 0`, `signal SIGKILL`. Never rejects.
  ended: Promise<string>
}

export async function launch(
  program: string,
  programArguments: string[],
  options: { runAs: Account | undefined; logFd: number; timeoutMs?: number },
): Promise<Launched> {
  const { runAs, logFd, timeoutMs } = options
  // The kernel clears the death signal when a process changes its account, so setpriv must do both.
  const setprivFlags = ['--pdeathsig', 'INT', ...(runAs === undefined ? [] : accountFlags(runAs))]
  const setprivWorks = await succeeds('setpriv', [...setprivFlags, 'true'])
  const [command, commandArguments] = setprivWorks
    ? ['setpriv', [...setprivFlags, program, ...programArguments]]
    : [program, programArguments]
  const child = spawn(command, commandArguments, {
    // The account may not be able to enter our working directory.
    cwd: '/',
    env: ENVIRONMENT,
    detached: true,
    stdio: ['ignore', logFd, logFd],
    ...(setprivWorks || runAs === undefined ? {} : runAs),
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

// Setting TZ saves initdb from searching for the machine's time zone.
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}
