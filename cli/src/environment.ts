// Which environment an address is: only staging has the sandbox, and says so to anybody.

export type Environment = 'staging' | 'production'

const LOOK_TIMEOUT_MS = 10_000

export async function environmentOf(baseUrl: string): Promise<Environment | undefined> {
  const url = `${baseUrl.replace(/\/+$/, '')}/sandbox/clock/advance`
  const { status } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(LOOK_TIMEOUT_MS) })
  return status === 405 ? 'staging' : status === 404 ? 'production' : undefined
}
