// Everything the guides name exists, and everything that must be documented is named in a guide.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { STATUS_OF } from '../../src/api/http/errors.ts'
import { createMetrics } from '../../src/api/http/metrics.ts'
import { ACT_NAMES } from '../../src/core/audit/act.ts'
import { USES } from '../../src/core/connections/provider.ts'
import { RAILS } from '../../src/core/connections/rail.ts'
import { pseBanks } from '../../src/core/directory/pse-bank.ts'
import { CONTRACT_EVENTS, EVENT_TYPES, TEST_EVENT } from '../../src/core/events/event.ts'
import { ID_TYPES } from '../../src/core/identity-document.ts'
import { FINDING_KINDS } from '../../src/core/ledger/reconciliation.ts'
import { SCOPES } from '../../src/core/organizations/scope.ts'
import { KEY_TYPES, PAYIN_ERROR_CODES, PAYIN_STATUSES, PERSON_TYPES } from '../../src/core/payins/payin.ts'
import { SUSPENSE_REASONS } from '../../src/core/payins/settle.ts'
import { PAYMENT_LINK_STATUSES } from '../../src/core/payment-links/payment-link.ts'
import { BATCH_STATUSES } from '../../src/core/payout-batches/batch.ts'
import { ROW_PROBLEM_CODES } from '../../src/core/payout-batches/row.ts'
import { PAYOUT_ERROR_CODES, PAYOUT_STAGES, PAYOUT_STATUSES } from '../../src/core/payouts/payout.ts'
import { ERASED, UNREADABLE } from '../../src/core/people/sealed.ts'
import { LEGAL_RULES } from '../../src/core/refunds/deadline.ts'
import {
  CLAIM_MATCHES,
  REFUND_OWN_ERROR_CODES,
  REFUND_REASONS,
  REFUND_STAGES,
  REFUND_WAYS,
} from '../../src/core/refunds/refund.ts'
import { FIELD_CODES, REFUSALS } from '../../src/core/refusal.ts'
import { CHALLENGE_EVENT } from '../../src/flows/webhooks/prove-ownership.ts'
import { plannedOutcome, scenarioOf } from '../../src/sandbox/scenarios.ts'
import type { Db } from '../../src/store/db.ts'
import { SUSPENSE_STATES } from '../../src/store/ledger/suspense.ts'
import { ATTEMPT_FAILURES } from '../../src/webhooks/failure.ts'
import { ROOT } from '../examples/workspace.ts'
import { codeWords, GUIDES, type Guide, guideOf, guides } from './guide.ts'

const source = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const wordsOf = (guide: Guide, pattern: RegExp): string[] =>
  [...guide.text.matchAll(pattern)].map(([word]) => word)

// Every name that the settings are read by.
const SETTINGS: readonly string[] = (() => {
  const text = source('src/config.ts')
  const read = [
    ...text.matchAll(
      /\b(?:text|choice|integer|address|postgresAddress|addressWithUser|retrySeconds|addressRanges|flag|crashAt|railList|hostNames)\('([A-Z_]+)'/g,
    ),
  ]
  const rails = ['BASE_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'NOTIFICATION_KEY']
  assert.match(text, new RegExp(`RAIL_SETTINGS = \\[${rails.map((name) => `'${name}'`).join(', ')}\\]`))
  const company = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']
  const names = company.map((name) => `'${name}'`).join(', ')
  assert.ok(source('src/core/setting-values.ts').includes(`[${names}]`))
  const tracing = [...source('src/core/tracing/settings.ts').matchAll(/\btext\('(OTEL_[A-Z_]+)'/g)]
  return [
    ...new Set([
      ...company,
      ...tracing.map(([, name]) => name as string),
      ...read.map(([, name]) => name as string),
      ...[...rails, 'NOTIFICATION_KEY_PREVIOUS'].flatMap((name) => [`BREB_${name}`, `PSE_${name}`]),
    ]),
  ]
})()
const DOCUMENTS = [...source('src/sandbox/scenarios.ts').matchAll(/\['(\d{10})', '/g)].map(
  ([, number]) => number as string,
)
// The client's own names: its settings, and its webhook error codes.
const OF_CLIENTS = [
  'RECAUDO_API_KEY',
  'RECAUDO_BASE_URL',
  'RECAUDO_WEBHOOK_SECRET',
  'RECAUDO_WEBHOOK_SECRETS',
]
const OF_VERIFICATION = [...source('sdk/src/errors.ts').matchAll(/'([A-Z_]+)'/g)].map(
  ([, code]) => code as string,
)

const KNOWN = new Set<string>([
  ...SETTINGS,
  ...OF_CLIENTS,
  ...OF_VERIFICATION,
  ...Object.keys(REFUSALS),
  ...ROW_PROBLEM_CODES,
  ...BATCH_STATUSES,
  ...Object.keys(FIELD_CODES),
  ...Object.keys(ATTEMPT_FAILURES),
  ...[
    PAYIN_ERROR_CODES,
    PAYOUT_ERROR_CODES,
    PAYIN_STATUSES,
    PAYOUT_STATUSES,
    PAYOUT_STAGES,
    PAYMENT_LINK_STATUSES,
  ].flat(),
  ...SUSPENSE_REASONS,
  ...SUSPENSE_STATES,
  ...[RAILS, USES, KEY_TYPES, PERSON_TYPES, ID_TYPES].flat(),
  ...pseBanks(true).map(({ code }) => code),
  ...['DOCUMENT', 'PHONE', 'EMAIL', 'ALPHANUMERIC', 'MERCHANT_CODE'],
  ...['ENABLED', 'DISABLED', 'OPEN', 'CLOSED', 'RESOLVED'],
  ...FINDING_KINDS,
  ...[REFUND_REASONS, REFUND_STAGES, REFUND_WAYS, REFUND_OWN_ERROR_CODES, CLAIM_MATCHES, LEGAL_RULES].flat(),
  // Arguments of the image's build.
  ...['NODE_IMAGE', 'NPM_FLAGS', 'MIGRATE_FLAGS'],
  // The table in our code that an adapter gets a row in.
  'PROVIDER_DESCRIPTIONS',
  // In the place of a customer’s data.
  ...[ERASED, UNREADABLE],
])

describe('the guides', () => {
  it('there is one for each subject, in both languages', () => {
    const money = [
      'breb',
      'closing',
      'first-payin',
      'giving-money-back',
      'payment-links',
      'paying-many',
      'payouts',
      'pse',
      'receipts',
      'reconciliation',
    ]
    const providers = ['connections', 'connecting-mono', 'connecting-placetopay', 'connecting-wompi']
    const running = [
      'approvals',
      'audit',
      'deploying',
      'growing',
      'operating',
      'production',
      'sandbox',
      'security',
      'team',
      'webhooks',
    ]
    const all = [...money, ...providers, ...running, 'search', 'writing-an-adapter'].sort()
    const slugs = (language: string) =>
      guides.filter((one) => one.language === language).map(({ slug }) => slug)
    assert.deepEqual(slugs('en').sort(), all)
    assert.deepEqual(slugs('es').sort(), all)
  })

  it('in Spanish lead to Spanish guides', () => {
    for (const { path, prose, language } of guides)
      if (language === 'es') assert.doesNotMatch(prose, /\]\(\.\.\/en\//, path)
  })

  it('the step at the bank has a document that waits for whoever reads slowly', () => {
    for (const language of ['en', 'es'] as const) {
      const { text, path } = guideOf('first-payin', language)
      const section = text.split(/^## /m).find((one) => one.includes('Banco de Pruebas')) ?? ''
      const [, document = ''] = /`(10000000\d\d)`/.exec(section) ?? []
      assert.equal(scenarioOf(document), 'open', `${path}: ${document}`)
      assert.deepEqual(plannedOutcome('session', scenarioOf(document), 1n), { how: 'nothing' })
    }
  })

  it('each begins with its title and one paragraph of summary, then sections', () => {
    for (const { path, text, headings } of guides) {
      const [title, blank, summary = '', after] = text.split('\n')
      assert.match(title ?? '', /^# \S/, path)
      assert.equal(blank, '', path)
      assert.match(summary, /^\p{Lu}.{60,}[.!]$/u, path)
      assert.equal(after, '', path)
      assert.deepEqual(
        headings.map(({ level }) => level),
        [1, ...Array(headings.length - 1).fill(2)],
        path,
      )
    }
  })

  it('codes, statuses and settings in capitals exist', () => {
    const wrong = guides.flatMap((guide) =>
      codeWords(guide)
        .flatMap((words) => words.match(/(?<![\w@-])[A-Z][A-Z\d]*(?:_[A-Z\d]+)+(?!\w)|^[A-Z]{4,}$/g) ?? [])
        .filter((word) => !KNOWN.has(word))
        .map((word) => `${guide.language}/${guide.slug}: ${word}`),
    )
    assert.deepEqual(wrong, [])
  })

  it('a number beside an error code is its status', () => {
    const pairs = guides.flatMap(({ text, path }) =>
      [...text.matchAll(/\b([45]\d\d) `([A-Z_]+)`/g)].map(([, status, code]) => ({
        path,
        status: Number(status),
        code,
      })),
    )
    assert.ok(pairs.length > 10)
    for (const { path, status, code } of pairs)
      assert.equal(STATUS_OF[code as keyof typeof STATUS_OF], status, `${path}: ${code}`)
  })

  it('every setting has a row in the guide to production', () => {
    const { prose } = guideOf('production')
    const named = new Set([...prose.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name))
    assert.ok(SETTINGS.length > 30)
    assert.deepEqual(
      SETTINGS.filter((name) => !named.has(name)),
      [],
    )
  })

  it('every document number of the simulated networks is in the guide to the sandbox, and no guide has another', () => {
    assert.equal(DOCUMENTS.length, 8)
    const table = guideOf('sandbox').prose
    for (const number of DOCUMENTS) assert.ok(table.includes(`| \`${number}\` |`), number)
    const others = guides
      .flatMap((guide) => wordsOf(guide, /\b10000000\d\d\b/g))
      .filter((number) => !DOCUMENTS.includes(number))
    assert.deepEqual(others, [])
  })

  it('every key that misbehaves is in the guide to the sandbox', () => {
    const keys = [...source('src/sandbox/directory.ts').matchAll(/startsWith\('(@[A-Z]+)'\)/g)].map(
      ([, key]) => key as string,
    )
    assert.equal(keys.length, 4)
    for (const key of keys) assert.ok(guideOf('sandbox').prose.includes(`| \`${key}\` |`), key)
  })

  it('events exist, and the guide to webhooks names each', () => {
    const all = [...EVENT_TYPES, TEST_EVENT, CHALLENGE_EVENT]
    const named = guides.flatMap((guide) =>
      wordsOf(guide, /\b(?:payin|payout|paymentlink|webhook)\.(?!ts\b)[a-z]+\b(?!\()/g),
    )
    assert.deepEqual(
      // What can be done has names of the same form.
      named.filter((name) => ![...all, ...ACT_NAMES].some((one) => one === name)),
      [],
    )
    for (const name of all) assert.ok(guideOf('webhooks').prose.includes(`\`${name}\``), name)
    assert.equal(CONTRACT_EVENTS.length, 8, 'the guide says eight')
  })

  it('metrics exist, and the guide to operating names each of ours', async () => {
    const metrics = createMetrics()
    metrics.watchDb({ pool: { total: 0, idle: 0, waiting: 0, size: 0 } } as Db)
    metrics.watchInFlight(() => 0)
    metrics.watchStreams(() => 0)
    metrics.watchProcesses(1, () => 1)
    metrics.watchReconciled(
      async () => [],
      async () => [],
      () => 0,
    )
    metrics.watchBacklog(
      async () => ({ due: 0, oldestDueMs: 0 }),
      () => 0,
    )
    const names = metrics.registry.getMetricsAsArray().map(({ name }) => name)
    const named = guides.flatMap((guide) => wordsOf(guide, /\b(?:recaudo|nodejs|process)_[a-z_]+\b/g))
    assert.deepEqual(
      named.filter((name) => !names.includes(name.replace(/_(?:bucket|sum|count)$/, ''))),
      [],
    )
    const ours = names.filter((name) => name.startsWith('recaudo_'))
    for (const name of ours) assert.ok(guideOf('operating').prose.includes(`| \`${name}\` |`), name)
  })

  it('scopes exist, and the guide to security names each', () => {
    const named = guides.flatMap((guide) => wordsOf(guide, /\b[a-z]+:(?:read|write)\b/g))
    assert.deepEqual(
      named.filter((scope) => !(SCOPES as readonly string[]).includes(scope)),
      [],
    )
    for (const scope of SCOPES) assert.ok(guideOf('security').prose.includes(`\`${scope}\``), scope)
  })

  it('operations exist', () => {
    const { paths } = JSON.parse(source('openapi.json')) as { paths: Record<string, object> }
    const known = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
    )
    const besides = ['GET /metrics']
    const named = guides.flatMap(({ text, path }) =>
      [...text.matchAll(/\b(GET|POST|PATCH|DELETE) (\/[\w{}./-]+)/g)].map(([, method, address]) => ({
        path,
        operation: `${method} ${(address as string).replaceAll(/\{\w+\}/g, '{}').replace(/[.]$/, '')}`,
      })),
    )
    assert.ok(named.length > 20)
    for (const { path, operation } of named)
      assert.ok([...known, ...besides].includes(operation), `${path}: ${operation}`)
  })

  it('links lead somewhere, and folders and files that are named exist', () => {
    for (const { path, prose } of guides) {
      for (const [, target] of prose.matchAll(/\]\(([^)]+)\)/g)) {
        assert.match(target as string, /^[\w./-]+\.md$/, `${path}: ${target} leads out of the guides`)
        assert.ok(existsSync(join(dirname(path), target as string)), `${path}: ${target}`)
        assert.ok(join(dirname(path), target as string).startsWith(GUIDES), `${path}: ${target}`)
      }
      for (const [, file] of prose.matchAll(/`((?:docs|examples|src|test)\/[\w./-]+)`/g))
        assert.ok(existsSync(join(ROOT, file as string)), `${path}: ${file}`)
    }
  })

  it('every sentence stands once in its guide', () => {
    for (const { path, prose } of guides) {
      const sentences = prose
        .split('\n')
        .filter((line) => !line.startsWith('|'))
        .flatMap((line) => line.split(/(?<=[.:!?])\s+/))
        .filter((sentence) => sentence.split(' ').length > 4)
      assert.ok(sentences.length > 5, path)
      for (const [at, sentence] of sentences.entries())
        assert.equal(sentences.indexOf(sentence), at, `${path} says twice: ${sentence}`)
    }
  })

  const withoutComments = (text: string): string =>
    text
      .split('\n')
      .map((line) => line.replace(/(?:^|\s+)(?:#|\/\/) .*$/, ''))
      .join('\n')

  for (const spanish of guides.filter(({ language }) => language === 'es')) {
    it(`es/${spanish.slug} has the sections, the code and the names of its English twin`, () => {
      const english = guideOf(spanish.slug)
      assert.equal(spanish.headings.length, english.headings.length)
      assert.deepEqual(
        spanish.blocks.map(({ language, text }) => [language, withoutComments(text)]),
        english.blocks.map(({ language, text }) => [language, withoutComments(text)]),
      )
      const names = (guide: Guide) => [...new Set(codeWords(guide))].sort()
      assert.deepEqual(names(spanish), names(english))
      const rows = (guide: Guide) => (guide.prose.match(/^\|.*\|$/gm) ?? []).length
      assert.equal(rows(spanish), rows(english))
    })
  }
})
