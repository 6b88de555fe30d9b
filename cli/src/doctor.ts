// recaudo doctor: checks everything between this machine and a delivered webhook, in the order in which it can fail, and
// says what to do about each problem. It changes nothing.

import type { ApiError, Recaudo, WebhookEndpoint } from '@recaudo/sdk'
import { openAudit } from './audit.ts'
import { openAdministration, openClient, openTeam } from './client.ts'
import type { Call, Shown } from './command.ts'
import { readSignIn, type SignIn } from './credentials.ts'
import { type Environment, environmentOf } from './environment.ts'
import { EXIT, operatorsFailure } from './failure.ts'
import { endOfLog } from './log-position.ts'
import { reported } from './report.ts'
import { openReports } from './reports.ts'
import { allowedScopes } from './scopes.ts'
import { openSuspense } from './suspense.ts'
import { clean, green, red, yellow } from './terminal.ts'

type Level = 'ok' | 'note' | 'problem'
type Finding = {
  readonly level: Level
  readonly about: string
  readonly text: string
  readonly remedy?: string
}

const PROBE_TIMEOUT_MS = 10_000
// Receivers refuse webhooks that are five minutes off. We warn from one minute on.
const MAX_SKEW_MS = 60_000
const RECENT_EVENTS = 20

export async function doctor({ flags }: Call): Promise<Shown> {
  // In the server's folder it does not come here.
  if (flags.operator === true) throw operatorsFailure('doctor --operator')
  const findings = await examine()
  const isHealthy = findings.every(({ level }) => level !== 'problem')
  return {
    json: { ok: isHealthy, findings },
    text: () => [...findings.map(findingText), isHealthy ? 'All is well.' : ''].filter(Boolean).join('\n'),
    ...(!isHealthy && { exitCode: EXIT.failed }),
  }
}

async function examine(): Promise<Finding[]> {
  const findings: Finding[] = []
  const add = (level: Level, about: string, text: string, remedy?: string): void => {
    findings.push({ level, about, text, ...(remedy !== undefined && { remedy }) })
  }
  let signIn: SignIn
  try {
    signIn = readSignIn()
  } catch (error) {
    add('problem', 'credentials', reported(error).text)
    return findings
  }
  const { baseUrl, credentials } = signIn
  const label = 'apiKey' in credentials ? credentials.apiKey : credentials.clientId
  add('ok', 'credentials', `${label.slice(0, 10)}… from ${signIn.source}`)

  const environment = await examineAddress(signIn, add)
  if (environment === undefined) return findings
  const credentialEnvironment = /^r[kc]_live_/.test(label)
    ? 'production'
    : /^r[kc]_stg_/.test(label)
      ? 'staging'
      : undefined
  if (credentialEnvironment !== undefined && credentialEnvironment !== environment)
    add(
      'problem',
      'environment',
      `${baseUrl} is ${environment}, and the credential is of ${credentialEnvironment}`,
      `use a credential of ${environment}, or the address of ${credentialEnvironment}`,
    )
  else add('ok', 'environment', environment)

  const { recaudo } = await openClient()
  if (!(await examineCredential(recaudo, add))) return findings
  const clients = {
    recaudo,
    administration: await openAdministration(),
    team: await openTeam(),
    audit: await openAudit(),
    reports: await openReports(),
    suspense: await openSuspense(),
  }
  const scopes = await allowedScopes(clients, environment)
  if (scopes.missing.length === 0) add('ok', 'scopes', 'all')
  else
    add(
      'note',
      'scopes',
      `without ${scopes.missing.join(', ')}`,
      'what needs them answers 403; `recaudo key create --scopes` in the server’s folder makes another key',
    )
  if (!scopes.missing.includes('webhooks:read')) await examineEndpoints(recaudo, add)
  if (!READS_EVENTS.some((scope) => scopes.missing.includes(scope))) await examineDeliveries(recaudo, add)
  return findings
}

// The log tells of payments, so it needs the scopes that read them too.
const READS_EVENTS = ['events:read', 'payins:read', 'payouts:read', 'links:read']

type AddFinding = (level: Level, about: string, text: string, remedy?: string) => void

async function examineAddress(
  { baseUrl, baseUrlSource }: SignIn,
  add: AddFinding,
): Promise<Environment | undefined> {
  const from = `${baseUrl}, from ${baseUrlSource}`
  const remedy = 'check RECAUDO_BASE_URL, or `recaudo login --base-url`, and that the server runs'
  let response: Response
  const askedAtMs = Date.now()
  try {
    response = await fetch(`${baseUrl.replace(/\/+$/, '')}/openapi.json`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    })
  } catch (error) {
    const { cause, message } = error as { cause?: { code?: string }; message: string }
    add('problem', 'address', `${from}, cannot be reached (${cause?.code ?? message})`, remedy)
    return undefined
  }
  const answeredAtMs = Date.now()
  const title = await response.json().then(
    (document) => (document as { info?: { title?: string } } | null)?.info?.title,
    () => undefined,
  )
  if (title !== 'Recaudo') {
    const kind = response.headers.get('location') ?? response.headers.get('content-type') ?? 'nothing'
    add('problem', 'address', `${from}, answered ${response.status} ${kind}: that is not Recaudo`, remedy)
    return undefined
  }
  add('ok', 'address', from)
  examineClock(response.headers.get('date'), askedAtMs, answeredAtMs, add)
  const environment = await environmentOf(baseUrl).catch(() => undefined)
  if (environment === undefined)
    add(
      'problem',
      'environment',
      'neither staging nor production',
      'a proxy may change what the server answers',
    )
  return environment
}

// The header has only whole seconds, and the request took some time. Neither counts as skew.
function examineClock(date: string | null, askedAtMs: number, answeredAtMs: number, add: AddFinding): void {
  const serverMs = Date.parse(date ?? '')
  if (Number.isNaN(serverMs)) return
  const aheadMs = askedAtMs - (serverMs + 1_000)
  const behindMs = serverMs - answeredAtMs
  const skewMs = Math.max(0, aheadMs, behindMs)
  const seconds = Math.round(skewMs / 1_000)
  if (skewMs <= MAX_SKEW_MS) add('ok', 'clock', `${seconds} s off the server’s at most`)
  else
    add(
      'problem',
      'clock',
      `this machine’s clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the server’s`,
      'set it right: webhooks more than 300 s off are refused by whoever verifies them',
    )
}

async function examineCredential(recaudo: Recaudo, add: AddFinding): Promise<boolean> {
  try {
    const { name } = await recaudo.organization.get()
    add('ok', 'sign-in', `as ${name}`)
    return true
  } catch (error) {
    if ((error as Partial<ApiError>).status === 403) {
      add('ok', 'sign-in', 'the credential is known')
      return true
    }
    add(
      'problem',
      'sign-in',
      reported(error).text.replaceAll('\n', ' '),
      '`recaudo login` keeps another credential',
    )
    return false
  }
}

async function examineEndpoints(recaudo: Recaudo, add: AddFinding): Promise<void> {
  const { data } = await recaudo.webhookEndpoints.list()
  if (data.length === 0)
    return add(
      'note',
      'endpoints',
      'none',
      '`recaudo webhooks create --url …`, or `recaudo listen` meanwhile',
    )
  for (const endpoint of data) examineEndpoint(endpoint, add)
}

function examineEndpoint(endpoint: WebhookEndpoint, add: AddFinding): void {
  const { id, url, status, disabledReason, failingSince } = endpoint
  const about = `endpoint ${id}`
  const enable = `\`recaudo webhooks update ${id} --enable\`, then \`recaudo events replay --endpoint ${id} --since …\``
  if (status === 'DISABLED' && disabledReason === 'BY_MERCHANT')
    add('note', about, `${url} is switched off, by you`, enable)
  else if (disabledReason === 'UNVERIFIED')
    add(
      'problem',
      about,
      `${url} is not verified, so nothing is sent to it`,
      `give its receiver the secret, then \`recaudo webhooks verify ${id}\``,
    )
  else if (status === 'DISABLED')
    add(
      'problem',
      about,
      `${url} was switched off: ${disabledReason === 'GONE' ? 'it answered 410' : 'nothing but failures for five days'}`,
      `mend it, then ${enable}`,
    )
  else if (failingSince !== null)
    add(
      'problem',
      about,
      `${url} fails since ${failingSince}`,
      'see `recaudo events list` and `recaudo events deliveries`',
    )
  else add('ok', about, url)
}

// Finds deliveries of the latest events that are pending or failed.
async function examineDeliveries(recaudo: Recaudo, add: AddFinding): Promise<void> {
  const end = await endOfLog(recaudo)
  if (end === 0) return add('ok', 'deliveries', 'no event yet')
  const { data: events } = await recaudo.events.list({
    after: Math.max(0, end - RECENT_EVENTS),
    pageSize: RECENT_EVENTS,
  })
  const lists = await Promise.all(
    events.map(async ({ id }) =>
      (await recaudo.events.deliveries(id)).data.map((delivery) => ({ id, ...delivery })),
    ),
  )
  const deliveries = lists.flat()
  const failed = deliveries.filter(({ state }) => state === 'FAILED')
  const waiting = deliveries.filter(({ state, attempts }) => state === 'PENDING' && attempts.length > 0)
  const undelivered = [...failed, ...waiting]
  if (undelivered.length === 0)
    return add('ok', 'deliveries', `of the last ${events.length} events none waits for another try`)
  add(
    'problem',
    'deliveries',
    `of the last ${events.length} events ${waiting.length} wait for another try and ${failed.length} were given up`,
    `\`recaudo events deliveries ${undelivered[0]?.id}\` tells why, \`recaudo events replay\` sends again`,
  )
}

function findingText({ level, about, text, remedy }: Finding): string {
  const mark = level === 'ok' ? green('ok     ') : level === 'note' ? yellow('note   ') : red('problem')
  return (
    clean(`${about}: ${text}`).replace(/^/, `${mark}  `) +
    (remedy === undefined ? '' : `\n         → ${clean(remedy)}`)
  )
}
