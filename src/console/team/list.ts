// The team: who belongs to it, who is invited, and what each role may do.

import { revokeTeamInvitationOperation } from '../../api/team/invitations.ts'
import { type Html, html } from '../../core/html.ts'
import { SCOPES } from '../../core/organizations/scope.ts'
import type { Invitation } from '../../core/team/invitation.ts'
import { mayGrant, PEOPLE_VIEW, ROLE_SCOPES, ROLES, type Role } from '../../core/team/role.ts'
import type { Member } from '../../core/team/user.ts'
import { listOpenInvitations } from '../../store/team/invitations.ts'
import { listMembers } from '../../store/team/members.ts'
import { actionButton, problemSummary } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { shortTimeText, timeText } from '../format.ts'
import { icon, namedIcon } from '../icons.ts'
import type { Page } from '../page.ts'
import { paramOf } from '../params.ts'
import type { Route } from '../route.ts'
import { settingsPage, wayTo } from '../settings/frame.ts'
import { SETTINGS_WORDS } from '../settings/words.ts'
import { may, type Visit } from '../visit.ts'
import { statusMark } from '../words/states.ts'
import { TEAM_WORDS } from './words.ts'

export const TEAM_PATH = '/settings/team'

async function teamPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page> {
  const { ctx, organization, language } = visit
  const words = TEAM_WORDS[language]
  const [members, invitations] = await Promise.all([
    listMembers(ctx.db, organization.organizationId),
    listOpenInvitations(ctx.db, organization.organizationId, ctx.clock.wallClock()),
  ])
  const { name, text } = SETTINGS_WORDS[language].parts.team
  return settingsPage(visit, {
    part: 'team',
    title: name,
    lead: text,
    isWide: true,
    actions: wayTo(visit, `${TEAM_PATH}/invite`, words.invite, 'team:write', 'main'),
    content: html`${problemSummary(visit, form, [])}
<section class="list-part"><ul class="row-list card">${members.map((member) => memberRow(visit, member))}</ul>${members.length === 1 && invitations.length === 0 && html`<p class="hint after-list">${words.alone}</p>`}</section>
<section class="list-part"><div class="part-head"><h2>${words.invitations}</h2></div>${invitations.length === 0 ? html`<p class="card nothing">${words.noInvitations}</p>` : html`<ul class="row-list card">${invitations.map((one) => invitationRow(visit, one))}</ul>`}</section>
<section class="list-part" id="roles"><div class="part-head"><div><h2>${words.roles}</h2><p class="hint">${words.rolesHint}</p></div></div>${rolesTable(visit)}</section>`,
  })
}

// What protects the person's way in. A password alone is worth a second look.
export function waysMark({ language }: Visit, member: Member): Html {
  const { ways } = TEAM_WORDS[language]
  if (member.passkeys > 0) return statusMark('', ways.passkeys(member.passkeys), 'good')
  if (member.hasPassword)
    return statusMark('', member.hasTotp ? ways.totp : ways.password, member.hasTotp ? 'good' : 'wait')
  return statusMark('', ways.none, 'quiet')
}

function memberRow(visit: Visit, member: Member): Html {
  const { language, home, ctx, signedIn } = visit
  const words = TEAM_WORDS[language]
  const now = ctx.clock.wallClock()
  const seen =
    member.lastSeenAt === null ? words.neverSeen : words.seen(shortTimeText(member.lastSeenAt, now, language))
  const isYou = member.userId === signedIn.user.userId
  return html`<li class="row-item"><a href="${home}${TEAM_PATH}/${member.userId}"><span class="row-main"><b>${member.name}${isYou && html` <span class="soft">(${words.you})</span>`}</b><span class="soft">${member.email}</span></span><span class="row-text">${visit.words.roles[member.role]}<small>${seen}</small></span>${waysMark(visit, member)}${icon('right')}</a></li>`
}

function invitationRow(visit: Visit, invitation: Invitation): Html {
  const { language, ctx } = visit
  const words = TEAM_WORDS[language]
  const { invitationId, email, name, role, invitedBy, expiresAt } = invitation
  const until = timeText(expiresAt, ctx.clock.wallClock(), language)
  const canRevoke = may(visit, 'team:write') && mayGrant(role, granterOf(visit))
  const revoke = canRevoke
    ? actionButton(visit, newForm(visit), {
        action: `${TEAM_PATH}/invitations/${invitationId}/revoke`,
        operation: revokeTeamInvitationOperation,
        submit: words.revoke,
        call: { params: { invitationId } },
      })
    : html`<span class="button" aria-disabled="true" title="${words.cannotGrant}">${icon('lock')}${words.revoke}</span>`
  return html`<li class="row-item"><div class="row-line"><span class="row-main"><b>${name ?? email}</b>${name !== null && html`<span class="soft">${email}</span>`}</span><span class="row-text">${visit.words.roles[role]}<small>${words.invitedBy(invitedBy, until)}</small></span>${revoke}</div></li>`
}

export function granterOf({ role, caller }: Visit): { role: Role; scopes: Visit['caller']['scopes'] } {
  return { role, scopes: caller.scopes }
}

function rolesTable({ language, words: shared, role: own }: Visit): Html {
  const words = TEAM_WORDS[language]
  const heads = ROLES.map(
    (role) => html`<th scope="col"${role === own && html` class="is-own"`}>${shared.roles[role]}</th>`,
  )
  const abouts = ROLES.map(
    (role) => html`<div><dt>${shared.roles[role]}</dt><dd>${words.about[role]}</dd></div>`,
  )
  const rows = SCOPES.map((scope) => {
    const cells = ROLES.map((role) => {
      const isHeld = ROLE_SCOPES[role].includes(scope)
      return html`<td${role === own && html` class="is-own"`}>${isHeld ? namedIcon('check', words.may) : html`<span aria-hidden="true">–</span><span class="unseen">${words.mayNot}</span>`}</td>`
    })
    return html`<tr><th scope="row">${shared.rights[scope]}</th>${cells}</tr>`
  })
  const people = ROLES.map(
    (role) => html`<td${role === own && html` class="is-own"`}>${words.peopleViews[PEOPLE_VIEW[role]]}</td>`,
  )
  return html`<dl class="role-abouts">${abouts}</dl><div class="card roles-table" role="region" aria-label="${words.roles}" tabindex="0"><table><thead><tr><th scope="col">${words.right}</th>${heads}</tr></thead><tbody>${rows}<tr><th scope="row">${words.people}</th>${people}</tr></tbody></table></div>`
}

export const teamListRoutes: readonly Route[] = [
  { method: 'GET', path: TEAM_PATH, scope: 'team:read', show: (visit) => teamPage(visit) },
  {
    method: 'POST',
    path: `${TEAM_PATH}/invitations/:invitationId/revoke`,
    operation: revokeTeamInvitationOperation,
    call: (visit) => ({ params: { invitationId: paramOf(visit, 'invitationId') } }),
    done: () => TEAM_PATH,
    again: teamPage,
  },
]
