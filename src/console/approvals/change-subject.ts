// A change of a connection, a key or a client that waits, in words. Everything that is approved is shown; of secrets, that they are there.

import { type Approval, documentOf } from '../../core/approvals/approval.ts'
import { isScope } from '../../core/organizations/scope.ts'
import type { CredentialAct } from '../../flows/credentials/approval.ts'
import { amountText, timeText } from '../format.ts'
import type { Fact } from '../objects/object-page.ts'
import type { Visit } from '../visit.ts'
import { CHANGE_WORDS } from './change-words.ts'

type Document = Readonly<Record<string, unknown>>

export function changeSubject(
  visit: Visit,
  approval: Approval,
  facts: readonly Fact[],
): { what: string; facts: readonly Fact[] } {
  const words = CHANGE_WORDS[visit.language]
  const { act, amountInCents: _, limits, changes, credentials, ...fields } = documentOf(approval)
  const sentences: Readonly<Record<string, string>> = {
    ...words.connections,
    ...words.credentials,
    'suspense.return': words.suspense,
  }
  const label = (name: string) => words.fields[name] ?? name
  const factsOf = (some: unknown, labelOf = label): Fact[] =>
    Object.entries((some ?? {}) as Document).map(([name, value]) => [
      labelOf(name),
      textOf(visit, name, value),
    ])
  const shown = Object.entries((credentials ?? {}) as Document).map(
    ([name, value]): Fact => [name, value === null ? words.secret : String(value)],
  )
  return {
    what: sentences[String(act)] ?? '',
    facts: [
      ...facts,
      ...factsOf(fields),
      ...factsOf(limits),
      ...factsOf(changes, (name) => words.changed(label(name))),
      ...shown,
    ],
  }
}

const AMOUNTS = ['minimumInCents', 'maximumInCents', 'payoutSumPerDay']

function textOf(visit: Visit, name: string, value: unknown): string | null {
  const { language, ctx, words: shared } = visit
  const words = CHANGE_WORDS[language]
  // Of what is not there, nothing is said.
  if (name === 'credentialsSha256' || name === 'payinId') return value === null ? null : String(value)
  if (value === null) return name === 'scopes' ? words.all : words.none
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (AMOUNTS.includes(name)) return amountText(BigInt(String(value)), language)
  if (name === 'expiresAt') return timeText(Number(value), ctx.clock.now(), language)
  if (!Array.isArray(value)) return String(value)
  return value
    .map((one) => (name === 'scopes' && isScope(String(one)) ? shared.rights[one as never] : String(one)))
    .join(', ')
}

export function actIn(approval: Approval): CredentialAct {
  return documentOf(approval).act as CredentialAct
}

// What is said of one that was approved, if whoever asked must still do it.
export function approvedSentence(
  { language }: Visit,
  { kind, status, usedAt }: Approval,
): string | undefined {
  if ((kind !== 'credential' && kind !== 'suspense-return') || status !== 'APPROVED') return undefined
  const words = CHANGE_WORDS[language]
  return usedAt === null ? words.approvedForMaker : words.used
}
