// One object of every kind that a page of the console shows, and every page. Every text that a merchant, a payer, a bank or a
// receiver of webhooks can choose is `text`, so that a test can look at what hostile ones do.

import { CONNECTION_EXAMPLES } from '../../src/api/connections/examples.ts'
import { ROUTES } from '../../src/console/routes.ts'
import { bogotaDay } from '../../src/core/bogota-day.ts'
import { insertAlarm } from '../../src/store/ledger/alarms.ts'
import { newApproval } from '../api/http/calls.ts'
import { HEAD } from '../api/payout-batches/files.ts'
import type { Person } from '../console/person.ts'
import { lateMoney } from '../late-money.ts'
import { answering, type Receiver, receiver } from '../webhooks/receiver.ts'
import { brebPayin, CUSTOMER, endPayin, psePayin, type World } from '../world.ts'

export type Places = AsyncDisposable & {
  // By the names that paths give them.
  readonly ids: Readonly<Record<string, string>>
  // Every page, as it follows the organization's address.
  readonly pages: readonly string[]
  // Every other route that is read: files.
  readonly files: readonly string[]
}

export async function makePlaces(world: World, owner: Person, text: string): Promise<Places> {
  const { client } = world
  const made = async (path: string, body: unknown): Promise<Record<string, string>> => {
    const { status, json, text: answer } = await client('POST', path, body)
    if (status !== 201) throw new Error(`POST ${path}: ${answer}`)
    return json
  }
  const changed = await client('PATCH', '/organization', { name: text })
  if (changed.status !== 200) throw new Error(changed.text)
  const shop = await receiver(answering('500 No', ['content-type: text/html'], text))
  const endpoint = await made('/webhook-endpoints', {
    url: `${shop.url}?${encodeURIComponent(text)}`,
    description: text,
  })
  // The number makes the simulated network wait.
  const customer = { ...CUSTOMER, name: text, idNumber: '1000000007' }
  const note = { description: text, metadata: { text } }
  const all = {
    inlineCustomer: customer,
    ...note,
    callbackUrl: `https://shop.example/${encodeURIComponent(text)}`,
  }
  const payin = await made('/payins', brebPayin({ ...all, reference: text }))
  const declined = await made('/payins', psePayin({ ...all, reference: `${text}.` }))
  await made('/payins', brebPayin({ ...all, reference: `${text}..` }))
  const payout = await made('/payouts', {
    amountInCents: 100_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: text,
    inlineCustomer: { ...customer, idNumber: '1000000001' },
    breb: { keyString: '@ANAGOMEZ' },
    ...note,
  })
  const terms = { amountType: 'FIXED', amountInCents: 7_200_000, reference: text, ...note }
  const link = await made('/payment-links', {
    ...terms,
    callbackUrl: all.callbackUrl,
    inlineCustomer: customer,
  })
  const items = [{ name: text, quantity: 1, unitAmountInCents: 7_200_000 }]
  const page = await made('/payment-pages', { ...terms, name: text, items })
  const cell = `"${text.replaceAll('"', '""')}"`
  const lines = [
    HEAD,
    `@ANAGOMEZ;5000;${cell};${cell};CC;1000000001;`,
    `${cell};x;${cell};${cell};${cell};${cell};${cell}`,
  ]
  const batch = await made('/payout-batches', {
    file: Buffer.from(lines.join('\n')).toString('base64'),
    fileName: text.slice(0, 100),
  })
  const beneficiary = await client('PUT', '/beneficiaries', {
    idType: 'CO_CC',
    idNumber: '1000000001',
    name: text.slice(0, 120),
    key: '1000000001',
  })
  if (beneficiary.status !== 200) throw new Error(beneficiary.text)
  const connection = await made('/connections', { ...CONNECTION_EXAMPLES.create, name: text })
  const key = await made('/api-keys', { name: text, scopes: ['payins:read'] })
  const oauth = await made('/oauth-clients', { name: text })
  await endPayin(world, client, payin.id as string, 'confirmed')
  await endPayin(world, client, declined.id as string, 'declined')
  const claim = { amountInCents: 100, reason: 'OTHER', way: 'CLAIM' }
  const refund = await made(`/payins/${payin.id}/refunds`, claim)
  await world.work()
  const [event] = (await client('GET', '/events')).json.data as { id: string }[]
  const [entry] = (await client('GET', '/audit')).json.data as { id: string }[]
  const { organizationId } = world.organization
  await insertAlarm(
    world.db,
    organizationId,
    payin.id as string,
    { alarmId: world.ctx.ids.next(), kind: 'payin-contradiction', detail: text },
    world.ctx.clock.now(),
  )
  await owner.post('/views', { list: 'payins', name: text.slice(0, 60), query: 'status=CONFIRMED' })
  await client('GET', `/payins/${payin.id}?${encodeURIComponent(text)}`)

  const { suspenseId } = await lateMoney(world, client, { ...all, reference: `${text}...` })
  await client('PATCH', `/suspense/${suspenseId}`, { note: text })

  const ids: Record<string, string> = {
    suspenseId,
    payinId: payin.id as string,
    payoutId: payout.id as string,
    refundId: refund.id as string,
    linkId: link.paymentLinkId as string,
    pageId: page.paymentPageId as string,
    eventId: event?.id as string,
    endpointId: endpoint.id as string,
    connectionId: connection.id as string,
    apiKeyId: key.id as string,
    clientId: oauth.id as string,
    userId: owner.userId,
    entryId: entry?.id as string,
    approvalId: await newApproval(world, client),
    batchId: batch.id as string,
    beneficiaryId: beneficiary.json.id as string,
    row: '3',
    day: bogotaDay(world.ctx.clock.now()),
  }
  const read = ROUTES.filter((route) => route.method === 'GET' && !route.path.includes('/live'))
  const isFile = (route: (typeof ROUTES)[number]) => 'isStream' in route && route.isStream === true
  return {
    ids,
    pages: read.filter((route) => !isFile(route)).map(({ path }) => filled(path, ids)),
    files: read.filter(isFile).map(({ path }) => filled(path, ids)),
    [Symbol.asyncDispose]: () => (shop as Receiver)[Symbol.asyncDispose](),
  }
}

function filled(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const id = ids[name]
    if (id === undefined) throw new Error(`test/browser/console-places.ts must learn to make a ${name}`)
    return id
  })
}
