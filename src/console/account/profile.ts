// How the person is called, their language, colours and shortcuts, and the organizations that they belong to.

import { html } from '../../core/html.ts'
import { LANGUAGES } from '../../core/team/user.ts'
import { changeSettings } from '../../flows/team/account.ts'
import type { SeeOther } from '../page.ts'
import { hiddenField, personField, problemBox } from '../person-form.ts'
import { THEMES } from '../setting.ts'
import { homeOf } from '../visit.ts'
import { type AccountPage, doneAt, type Visitor } from './visitor.ts'

export function showProfile(visitor: Visitor): AccountPage {
  return profilePage(visitor)
}

export async function saveProfile(visitor: Visitor): Promise<AccountPage | SeeOther> {
  const { ctx, signedIn, typed, said } = visitor
  const language = LANGUAGES.find((one) => one === typed.get('language')) ?? signedIn.user.language
  const answer = await changeSettings(ctx, signedIn, {
    name: (typed.get('name') ?? '').trim(),
    language,
    singleKeys: typed.has('singleKeys'),
  })
  if ('problem' in answer) return { ...profilePage(visitor, said.profile.wrongName), status: 422 }
  return doneAt(visitor, 'profile', 'profile')
}

function profilePage(visitor: Visitor, problem?: string): AccountPage {
  const { base, signedIn, typed, words, theme } = visitor
  const { user, memberships } = signedIn
  const said = visitor.said.profile
  const isTyped = problem !== undefined
  const chosen = isTyped ? typed.get('language') : user.language
  const hasKeys = isTyped ? typed.has('singleKeys') : user.singleKeys
  const languages = LANGUAGES.map(
    (one) =>
      html`<option value="${one}" lang="${one}"${one === chosen && html` selected`}>${said.languages[one]}</option>`,
  )
  const themes = THEMES.map(
    (one) =>
      html`<button name="theme" value="${one}"${one === theme && html` aria-pressed="true"`}>${words.themes[one]}</button>`,
  )
  const organizations = memberships.map(
    ({ organization, role }) =>
      html`<li><a href="${homeOf(base, organization)}">${organization.name}</a><span class="soft">${words.roles[role]}</span></li>`,
  )
  const content = html`<div class="head"><h1>${visitor.said.sections.profile}</h1></div>
<p class="soft lead">${said.text}</p>
<div class="stack">
<section class="card">
${problemBox(problem)}
<form method="post" action="${base}/account/profile" class="form" data-once>
${personField({ name: 'name', label: said.name, type: 'text', autocomplete: 'name', maxLength: 100, value: isTyped ? (typed.get('name') ?? '') : user.name, problem })}
<dl class="field"><dt class="label">${said.email}</dt><dd class="soft">${user.email}</dd></dl>
<div class="field"><label for="language">${said.language}</label><select id="language" name="language">${languages}</select></div>
<div class="field flag"><input type="checkbox" id="singleKeys" name="singleKeys" value="true"${hasKeys && html` checked`} aria-describedby="singleKeys-hint"><label for="singleKeys">${said.keys}</label><p class="hint" id="singleKeys-hint">${said.keysHint}</p></div>
<p class="form-end"><button class="button main">${visitor.said.save}</button></p>
</form>
</section>
<section class="card"><h2>${said.theme}</h2><p class="hint">${said.themeHint}</p>
<form method="post" action="${base}/theme" class="theme-form">${hiddenField('to', `${base}/account`)}<div class="choice">${themes}</div></form></section>
<section class="card"><h2>${said.organizations}</h2>${organizations.length === 0 ? html`<p class="soft">${said.none}</p>` : html`<ul class="rows">${organizations}</ul>`}</section>
</div>`
  return { title: visitor.said.sections.profile, section: 'profile', content }
}
