// How the person signs in: passkeys, password, authenticator app, recovery codes, all on one page.

import { bogotaDay } from '../../core/bogota-day.ts'
import { type Html, html } from '../../core/html.ts'
import { PASSKEY_NAME_MAX_LENGTH, type Passkey } from '../../core/team/passkey.ts'
import { countWaysIn, type SignInWays } from '../../core/team/sign-in.ts'
import { ownPasskeys } from '../../flows/team/passkeys.ts'
import { getWays } from '../../store/team/sign-in-ways.ts'
import { dayText, timeText } from '../format.ts'
import { passkeyForm } from '../passkey-form.ts'
import { hiddenField, personField, problemBox } from '../person-form.ts'
import { siteOfRequest, siteWithPasskeys } from '../request-origin.ts'
import type { AccountPage, Visitor } from './visitor.ts'

export type AccessProblems = {
  readonly passkeys?: string
  readonly current?: string
  readonly next?: string
  readonly password?: string
  readonly app?: string
}

export async function waysOf({ ctx, signedIn }: Visitor): Promise<SignInWays> {
  const ways = await getWays(ctx.db, signedIn.user.userId)
  if (ways === undefined) throw new Error('somebody is signed in who does not exist')
  return ways
}

export function showAccess(visitor: Visitor): Promise<AccountPage> {
  return accessPage(visitor)
}

export async function accessPage(visitor: Visitor, problems: AccessProblems = {}): Promise<AccountPage> {
  const { said, ctx, signedIn } = visitor
  const [ways, passkeys] = await Promise.all([waysOf(visitor), ownPasskeys(ctx, signedIn)])
  const content = html`<div class="head"><h1>${said.sections.access}</h1></div>
<p class="soft lead">${said.access.text}</p>
<div class="stack">
${countWaysIn(ways) === 0 && html`<p class="notice">${said.access.noWay}</p>`}
${passkeysCard(visitor, passkeys, problems)}
<section class="card"><h2>${said.password.title}</h2><p class="soft">${ways.passwordHash === null ? said.password.none : said.password.has}</p>${problemBox(problems.password)}${passwordForm(visitor, ways, problems)}</section>
${appCard(visitor, ways, problems)}
</div>`
  const isRefused = Object.keys(problems).length > 0
  return { title: said.sections.access, section: 'access', content, ...(isRefused && { status: 422 }) }
}

function passkeysCard(visitor: Visitor, passkeys: readonly Passkey[], problems: AccessProblems): Html {
  const said = visitor.said.passkeys
  const rows = passkeys.map((passkey) => passkeyRow(visitor, passkey))
  return html`<section class="card"><h2>${said.title}</h2><p class="soft">${said.text}</p>
${problemBox(problems.passkeys)}
${rows.length === 0 ? html`<p>${said.none}</p>` : html`<ul class="rows">${rows}</ul>`}
${newPasskeyForm(visitor, said.add)}
<noscript><p class="hint">${said.noScript}</p></noscript></section>`
}

// Undefined where passkeys cannot be: then it says where they can.
export function newPasskeyForm(visitor: Visitor, label: string, isMain = false): Html | false {
  const { base, options, request, said, to } = visitor
  const elsewhere = siteWithPasskeys(options, request)
  if (elsewhere !== undefined)
    return html`<p class="hint">${said.passkeys.elsewhere} <a href="${elsewhere}${base}/account/access">${elsewhere}</a></p>`
  if (siteOfRequest(options, request) === undefined) return false
  const begin = `${base}/account/passkeys/begin`
  const action = `${base}/account/passkeys`
  return passkeyForm({ kind: 'create', begin, action, label, to, isMain, words: said.passkeys })
}

function passkeyRow(visitor: Visitor, passkey: Passkey): Html {
  const { base, ctx, language } = visitor
  const said = visitor.said.passkeys
  const now = ctx.clock.wallClock()
  const id = passkey.credentialId.toString('base64url')
  const made = said.made(dayText(bogotaDay(passkey.createdAt), now, language))
  const used =
    passkey.lastUsedAt === null ? said.unused : said.used(timeText(passkey.lastUsedAt, now, language))
  return html`<li class="row"><div><b>${passkey.name}</b><p class="soft">${made} · ${used}</p></div>
<div class="row-ends"><details class="fold"><summary class="button small">${said.rename}</summary><form method="post" action="${base}/account/passkeys/rename" class="inline" data-once>${hiddenField('id', id)}<input name="name" aria-label="${said.name}" value="${passkey.name}" maxlength="${PASSKEY_NAME_MAX_LENGTH}" required><button class="button">${visitor.said.save}</button></form></details>
<details class="fold"><summary class="button small">${said.remove}</summary><form method="post" action="${base}/account/passkeys/remove" class="inline" data-once>${hiddenField('id', id)}<p>${said.removeText(passkey.name)}</p><button class="button grave">${said.removeNow}</button></form></details></div></li>`
}

export function passwordForm(visitor: Visitor, ways: SignInWays, problems: AccessProblems): Html {
  const { base, signedIn, to } = visitor
  const said = visitor.said.password
  const hasOne = ways.passwordHash !== null
  const current =
    hasOne &&
    personField({
      name: 'current',
      label: said.current,
      type: 'password',
      autocomplete: 'current-password',
      problem: problems.current,
    })
  const next = personField({
    name: 'next',
    label: said.next,
    hint: said.hint,
    type: 'password',
    autocomplete: 'new-password',
    problem: problems.next,
  })
  // Password managers learn whose it is.
  const whose = html`<input class="unseen" type="email" name="username" autocomplete="username" value="${signedIn.user.email}" tabindex="-1" aria-hidden="true" readonly>`
  return html`<form method="post" action="${base}/account/password" class="form" data-once>${hiddenField('to', to)}${whose}${current}${next}<p class="form-end"><button class="button">${hasOne ? said.change : said.create}</button></p></form>`
}

function appCard(visitor: Visitor, ways: SignInWays, problems: AccessProblems): Html {
  const { base } = visitor
  const { app, recovery } = visitor.said
  const isOn = ways.totpEnabledAt !== null
  const state = isOn
    ? html`<span class="status good">${app.on}</span>`
    : html`<span class="status quiet">${app.off}</span>`
  const off = ways.passwordHash === null ? html`<p class="hint">${app.needsPassword}</p>` : appButton(visitor)
  const on = html`<details class="fold"><summary class="button">${app.turnOff}</summary><form method="post" action="${base}/account/app/remove" class="inline" data-once><p>${app.turnOffText}</p><button class="button grave">${app.turnOffNow}</button></form></details>
<h3>${recovery.title}</h3><p class="soft">${recovery.left(ways.recoveryDigests.length)}</p>
<details class="fold"><summary class="button">${recovery.renew}</summary><form method="post" action="${base}/account/recovery-codes" class="inline" data-once><p>${recovery.renewText}</p><button class="button grave">${recovery.renew}</button></form></details>`
  return html`<section class="card" id="app"><h2>${app.title} ${state}</h2><p class="soft">${app.text}</p>${problemBox(problems.app)}${isOn ? on : off}</section>`
}

export function appButton({ base, said, to }: Visitor, isMain = false): Html {
  return html`<form method="post" action="${base}/account/app/begin" data-once>${hiddenField('to', to)}<button class="button${isMain && ' main'}">${said.app.setUp}</button></form>`
}
