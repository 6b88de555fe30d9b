// One key or client: what it may do, its limits, and the two ways to end its secret.

import { type Caller, grantableOf } from '../../api/http/auth.ts'
import { type Html, html } from '../../core/html.ts'
import { scopesLacking } from '../../core/organizations/grant.ts'
import { SCOPES } from '../../core/organizations/scope.ts'
import { copyable } from '../curl-block.ts'
import type { Field } from '../fields.ts'
import { bodyOf } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { amountText, capitalized, countText, timeText } from '../format.ts'
import type { Page } from '../page.ts'
import { paramOf } from '../params.ts'
import type { FormRoute, Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { statusMark } from '../words/states.ts'
import { changeableValues, limitFields, nameField } from './credential-fields.ts'
import {
  type Credential,
  credentialOf,
  KEYS_PATH,
  KIND_PLACES,
  KINDS,
  type Kind,
} from './credential-kinds.ts'
import { backToKeys, type MadeCredential, secretPage } from './credential-new.ts'
import { CREDENTIAL_WORDS } from './credential-words.ts'
import { panel, proofNote, settingsPage } from './frame.ts'
import { changedBody, changesSince, seenField } from './seen.ts'
import { SETTINGS_WORDS } from './words.ts'

type Which = 'change' | 'roll' | 'revoke'

async function credentialPage(
  visit: Visit,
  kind: Kind,
  open?: { which: Which; form: FormState },
): Promise<Page | undefined> {
  const credential = await credentialOf(visit, kind)
  if (credential === undefined) return undefined
  const { language } = visit
  const words = CREDENTIAL_WORDS[language]
  const { path, param, operations } = KIND_PLACES[kind]
  const at = (which: Which) => `${path}/${credential.id}/${which}`
  const formOf = (which: Which) => (open?.which === which ? open.form : newForm(visit))
  const params = { [param]: credential.id }
  const hasEnded = credential.status !== 'ACTIVE'
  const lockOf = (granted: Caller['scopes']) =>
    hasEnded ? words.hasEnded : lackNote(visit, credential, granted)
  const lock = lockOf(visit.caller.scopes)

  const changing = formFrame(visit, formOf('change'), {
    action: at('change'),
    operation: operations.change,
    fields: [...changeFields(visit, credential), seenField(changeableValues(credential))],
    submit: SETTINGS_WORDS[language].save,
    lock,
    call: { params, body: { name: credential.name } },
  })
  const rolling = formFrame(visit, formOf('roll'), {
    action: at('roll'),
    operation: operations.roll,
    fields: [overlapField(visit)],
    submit: words.roll.submit,
    lock: lockOf(grantableOf(visit.caller)),
    call: { params, body: { overlapHours: 24 } },
  })
  const revoking = formFrame(visit, formOf('revoke'), {
    action: at('revoke'),
    operation: operations.revoke,
    fields: [],
    submit: words.kinds[kind].revoke,
    isGrave: true,
    lock: hasEnded ? words.hasEnded : undefined,
    call: { params },
  })
  const content = hasEnded
    ? html`${facts(visit, credential)}<p class="hint">${words.hasEnded}</p>`
    : html`${facts(visit, credential)}${proofNote(visit)}
${panel(words.roll.title, words.roll.text, rolling, 'roll')}
${panel(words.change.title, words.change.text, changing, 'change')}
${panel(words.revoke.title, words.revoke.text, revoking, 'revoke')}`
  return settingsPage(visit, {
    part: 'keys',
    title: credential.name,
    actions: statusMark(credential.status, words.status[credential.status], hasEnded ? 'quiet' : 'good'),
    back: backToKeys(visit),
    content,
  })
}

function changeFields(visit: Visit, credential: Credential): Field[] {
  return [nameField(visit, credential.name), ...limitFields(visit, credential)]
}

function overlapField({ language }: Visit): Field {
  const words = CREDENTIAL_WORDS[language].fields
  return {
    kind: 'select',
    path: '/overlapHours',
    label: words.overlap,
    value: '24',
    options: Object.entries(words.overlaps).map(([value, label]) => ({ value, label })),
  }
}

// Whoever lacks something that it may do can neither roll nor change it. A new secret shows whom it shows to whoever has it.
function lackNote(visit: Visit, { scopes }: Credential, granted: Caller['scopes']): string | undefined {
  const { words, caller, language } = visit
  const lacking = scopesLacking({ ...caller, scopes: granted }, scopes)
  if (lacking.length === 0 || lacking === 'later ones') return undefined
  const [first, ...others] = lacking.map((scope) => words.rights[scope])
  const more = others.length > 2 ? [...others.slice(0, 2), '…'] : others
  return CREDENTIAL_WORDS[language].lacks([first, ...more].join(', '))
}

function facts(visit: Visit, credential: Credential): Html {
  const { language, ctx, words: shared } = visit
  const words = CREDENTIAL_WORDS[language]
  const now = ctx.clock.now()
  const time = (at: number | null) => (at === null ? null : timeText(at, now, language))
  const { scopes, maxPerSecond, allowedAddresses, payoutsPerDay, payoutSumPerDay } = credential
  const may =
    scopes === null
      ? html`${words.everything}`
      : html`<ul class="scopes">${SCOPES.filter((scope) => scopes.includes(scope)).map(
          (scope) => html`<li>${capitalized(shared.rights[scope])} <code>${scope}</code></li>`,
        )}</ul>`
  const rows: [string, Html | string | null][] = [
    [
      credential.prefix === null ? words.clientId : words.facts.prefix,
      credential.prefix === null ? copyable(visit, credential.id) : html`<code>${credential.prefix}</code>`,
    ],
    [words.facts.scopes, may],
    [words.facts.used, time(credential.lastUsedAt) ?? words.unused],
    [words.facts.created, time(credential.createdAt)],
    [words.facts.expires, time(credential.expiresAt)],
    [words.facts.revoked, time(credential.revokedAt)],
    [
      words.facts.previous,
      credential.previousUntil === null ? null : words.previousUntil(time(credential.previousUntil) ?? ''),
    ],
    [words.facts.addresses, allowedAddresses?.join(', ') ?? null],
    [words.facts.perSecond, maxPerSecond === null ? null : countText(maxPerSecond, language)],
    [words.facts.payouts, payoutsPerDay === null ? null : countText(payoutsPerDay, language)],
    [words.facts.payoutSum, payoutSumPerDay === null ? null : amountText(payoutSumPerDay, language)],
  ]
  const shown = rows
    .filter(([, value]) => value)
    .map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)
  return html`<dl class="facts card panel">${shown}</dl>`
}

const formRoute = (
  kind: Kind,
  which: Which,
  route: Pick<FormRoute, 'done'> & Partial<FormRoute>,
): FormRoute => {
  const { path, param, operations } = KIND_PLACES[kind]
  return {
    method: 'POST',
    path: `${path}/:${param}/${which}`,
    operation: operations[which],
    stepUp: true,
    call: (visit) => ({ params: { [param]: paramOf(visit, param) } }),
    again: (visit, form) => credentialPage(visit, kind, { which, form }),
    ...route,
  }
}

export const credentialRoutes: readonly Route[] = KINDS.flatMap((kind): Route[] => {
  const { path, param } = KIND_PLACES[kind]
  const params = (visit: Visit) => ({ [param]: paramOf(visit, param) })
  return [
    {
      method: 'GET',
      path: `${path}/:${param}`,
      scope: 'credentials:read',
      show: (visit) => credentialPage(visit, kind),
    },
    formRoute(kind, 'change', {
      call: async (visit, typed) => {
        const credential = await credentialOf(visit, kind)
        return {
          params: params(visit),
          body: credential ? changedBody(changeFields(visit, credential), typed) : {},
        }
      },
      done: (visit) => `${path}/${paramOf(visit, param)}`,
      changedMeanwhile: async (visit, typed) => {
        const credential = await credentialOf(visit, kind)
        if (credential === undefined) return []
        const nothing = SETTINGS_WORDS[visit.language].nothing
        return changesSince(
          typed,
          changeableValues(credential),
          changeFields(visit, credential),
          (name, value) => {
            if (value === null) return nothing
            if (Array.isArray(value)) return value.join(', ')
            return name === 'payoutSumPerDayInCents'
              ? amountText(BigInt(value as number), visit.language)
              : String(value)
          },
        )
      },
    }),
    formRoute(kind, 'roll', {
      call: (visit, typed) => {
        const { overlapHours } = bodyOf([overlapField(visit)], typed)
        return { params: params(visit), body: { overlapHours: Number(overlapHours ?? 24) } }
      },
      done: (visit, answer) => secretPage(visit, kind, answer as MadeCredential, true),
    }),
    formRoute(kind, 'revoke', { done: () => KEYS_PATH }),
  ]
})
