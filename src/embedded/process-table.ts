// Which processes of this machine belong to a cluster. Linux says it under /proc. Where there is none, as on macOS, ps and lsof
// are asked, which come with the system.
import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'

export type ProcessTable = {
  // Whether the process is the postmaster of this cluster.
  isPostmasterOf: (cluster: string, pid: number) => Promise<boolean>
  // Whether any process that we can see works there. All of a server's processes have their working directory in the cluster.
  isWorkingDirectory: (directory: string) => Promise<boolean>
}

export const procFiles: ProcessTable = {
  async isPostmasterOf(cluster, pid) {
    // Empty for a zombie.
    const commandLine = (await readIfPresent(`/proc/${pid}/cmdline`))?.split('\0') ?? []
    return basename(commandLine[0] ?? '') === 'postgres' && commandLine.includes(cluster)
  },
  async isWorkingDirectory(directory) {
    for (const pid of await readdir('/proc')) {
      if (!/^\d+$/.test(pid)) continue
      // If unreadable, the process has ended or belongs to another user, and so not to this server.
      const workingDirectory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
      if (workingDirectory === directory) return true
    }
    return false
  },
}

export const systemCommands: ProcessTable = {
  async isPostmasterOf(cluster, pid) {
    const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
    return isPostmasterCommand(stdout.trim(), cluster)
  },
  async isWorkingDirectory(directory) {
    const { code, stdout, stderr } = await run('lsof', ['-w', '-t', '-a', '-d', 'cwd', '--', directory])
    // It ends with 1 if it found nobody, and also if it could not look. In doubt somebody is there, and PostgreSQL decides.
    return stdout.trim() !== '' || code !== 1 || stderr.trim() !== ''
  },
}

export const processTable: ProcessTable = process.platform === 'linux' ? procFiles : systemCommands

// ps separates arguments by spaces, which a path may have too, and shows letters beyond ASCII in ways of its own.
export function isPostmasterCommand(command: string, cluster: string): boolean {
  const path = cluster
    .split(/[^ -~]+/)
    .map((part) => RegExp.escape(part))
    .join('.+')
  return new RegExp(`(^|/)postgres -D ${path} -c `).test(command)
}

type Result = { code: number | string; stdout: string; stderr: string }

function run(command: string, commandArguments: string[]): Promise<Result> {
  return new Promise((resolve) => {
    execFile(command, commandArguments, { env: ENVIRONMENT }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? ''), stdout, stderr }),
    )
  })
}

export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // ESRCH means that the process ended between opening and reading its file under /proc.
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}

// lsof is in /usr/sbin on macOS.
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }
