// Finds out which environment an address is: only staging has the sandbox, and its route answers without a credential.

export type Environment = 'staging' | 'production'

const PROBE_TIMEOUT_MS = 10_000

export async function environmentOf(baseUrl: string): Promise<Environment | undefined> {
  const url = `${baseUrl.replace(/\/+$/, '')}/sandbox/clock/advance`
  const { status } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
  return status === 405 ? 'staging' : status === 404 ? 'production' : undefined
}
