// One member of the team: their role, where they are signed in, and the way out.

import {
  changeTeamMemberOperation,
  endTeamSessionsOperation,
  removeTeamMemberOperation,
} from '../../api/team/members.ts'
import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import { isRole, mayGrant } from '../../core/team/role.ts'
import type { Member, Session, UserLanguage } from '../../core/team/user.ts'
import { madeBy, type RemainingAccess } from '../../flows/team/made-by.ts'
import { ownSessions } from '../../flows/team/sessions.ts'
import { getMember } from '../../store/team/members.ts'
import { addressText, browserText } from '../account/browser-name.ts'
import { en as accountEn } from '../account/words-en.ts'
import { type AccountWords, es as accountEs } from '../account/words-es.ts'
import { bodyOf, type Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type Change, type FormState, newForm } from '../form-state.ts'
import { timeText } from '../format.ts'
import type { Page } from '../page.ts'
import { paramOf } from '../params.ts'
import type { FormRoute, Route } from '../route.ts'
import { KIND_PLACES } from '../settings/credential-kinds.ts'
import { panel, proofNote, settingsPage } from '../settings/frame.ts'
import { changesSince, seenField } from '../settings/seen.ts'
import { SETTINGS_WORDS } from '../settings/words.ts'
import { may, type Visit } from '../visit.ts'
import { statusMark } from '../words/states.ts'
import { backToTeam, roleOptions } from './invite.ts'
import { granterOf, TEAM_PATH, waysMark } from './list.ts'
import { TEAM_WORDS } from './words.ts'

type Which = 'role' | 'sessions' | 'remove'

const ACCOUNT: Readonly<Record<UserLanguage, AccountWords>> = { es: accountEs, en: accountEn }

async function memberOf(visit: Visit): Promise<Member | undefined> {
  const userId = paramOf(visit, 'userId').toLowerCase()
  const { ctx, organization } = visit
  return isUuid(userId) ? getMember(ctx.db, organization.organizationId, userId) : undefined
}

async function memberPage(
  visit: Visit,
  open?: { readonly which: Which; readonly form: FormState },
): Promise<Page | undefined> {
  const member = await memberOf(visit)
  if (member === undefined) return undefined
  const { ctx, language, signedIn, words: shared } = visit
  const words = TEAM_WORDS[language].member
  const { organizationId } = visit.organization
  const [sessions, made] = await Promise.all([
    ownSessions(ctx, { user: { userId: member.userId } }),
    madeBy(ctx, { organizationId, userId: member.userId }),
  ])
  const isSelf = member.userId === signedIn.user.userId
  const at = (which: Which) => `${TEAM_PATH}/${member.userId}/${which}`
  const formOf = (which: Which) => (open?.which === which ? open.form : newForm(visit))
  const params = { userId: member.userId }
  const lock = mayGrant(member.role, granterOf(visit)) ? undefined : words.locked(shared.roles[member.role])
  // Whoever may not change the team at all is told so by the form itself.
  const own = may(visit, 'team:write') ? lock : undefined

  const changing = formFrame(visit, formOf('role'), {
    action: at('role'),
    operation: changeTeamMemberOperation,
    fields: [roleField(visit, member), seenField({ role: member.role })],
    submit: words.change,
    lock: own,
    call: { params, body: { role: member.role } },
  })
  const ending = formFrame(visit, formOf('sessions'), {
    action: at('sessions'),
    operation: endTeamSessionsOperation,
    fields: [],
    submit: words.endAll,
    isGrave: true,
    lock: isSelf ? undefined : own,
    call: { params },
  })
  const removing = formFrame(visit, formOf('remove'), {
    action: at('remove'),
    operation: removeTeamMemberOperation,
    fields: [],
    submit: isSelf ? words.leave : words.remove,
    isGrave: true,
    lock: isSelf ? undefined : own,
    call: { params },
  })
  const needsProof = open?.form.needsProof === true
  return settingsPage(visit, {
    part: 'team',
    title: member.name,
    actions: statusMark('', shared.roles[member.role], 'note'),
    back: backToTeam(visit),
    content: html`${facts(visit, member)}${may(visit, 'team:write') && !needsProof && proofNote(visit)}
${panel(words.changeTitle, words.changeText, changing, 'role')}
${panel(words.sessionsTitle, sessions.length === 0 ? words.noSessions : words.sessionsText, html`${sessionRows(visit, sessions)}${ending}`, 'sessions')}
${panel(isSelf ? words.leaveTitle : words.removeTitle, isSelf ? words.leaveText : words.removeText(member.name), html`${madeRows(visit, made)}${removing}`, 'remove')}`,
  })
}

function facts(visit: Visit, member: Member): Html {
  const { language, ctx, home, words: shared } = visit
  const words = TEAM_WORDS[language]
  const now = ctx.clock.wallClock()
  const seen = member.lastSeenAt === null ? words.neverSeen : timeText(member.lastSeenAt, now, language)
  const did =
    may(visit, 'audit:read') &&
    html`<dt>${SETTINGS_WORDS[language].parts.audit.name}</dt><dd><a href="${home}/settings/audit?actor=${member.userId}&amp;period=all">${words.member.did}</a></dd>`
  return html`<section class="card panel"><dl class="facts"><dt>${words.member.email}</dt><dd>${member.email}</dd><dt>${words.member.role}</dt><dd>${shared.roles[member.role]}<br><span class="soft">${words.about[member.role]}</span></dd><dt>${words.member.access}</dt><dd>${waysMark(visit, member)}</dd><dt>${words.member.joined}</dt><dd>${timeText(member.createdAt, now, language)}</dd><dt>${words.member.seen}</dt><dd>${seen}</dd>${did}</dl></section>`
}

function roleField(visit: Visit, { role }: Member): Field {
  const words = TEAM_WORDS[visit.language]
  return {
    kind: 'radio',
    path: '/role',
    label: words.member.role,
    value: role,
    options: roleOptions(visit),
    wrong: ({ code }) => (code === 'REQUIRED' ? undefined : words.form.roleClosed),
  }
}

function sessionRows({ language, ctx }: Visit, sessions: readonly Session[]): Html | false {
  if (sessions.length === 0) return false
  const said = ACCOUNT[language].sessions
  const words = TEAM_WORDS[language].member
  const time = (at: number) => timeText(at, ctx.clock.wallClock(), language)
  const rows = sessions.map(
    (session) =>
      html`<li class="row-item"><div class="row-line"><span class="row-main"><b>${browserText(session.browser, said)}</b><span class="soft">${addressText(session.address, said)} · ${said.seen(time(session.seenAt))}</span></span><span class="row-text"><small>${words.began(time(session.createdAt), said.methods[session.method])}</small></span></div></li>`,
  )
  return html`<ul class="row-list card">${rows}</ul>`
}

const MADE_PATHS: Readonly<Record<RemainingAccess['kind'], string>> = {
  API_KEY: KIND_PLACES.key.path,
  OAUTH_CLIENT: KIND_PLACES.client.path,
  WEBHOOK_ENDPOINT: '/webhooks',
}

// What goes on working without them, with the ways to end it.
function madeRows({ language, home }: Visit, made: readonly RemainingAccess[]): Html | false {
  if (made.length === 0) return false
  const words = TEAM_WORDS[language].member
  const rows = made.map(
    ({ kind, id, name }) =>
      html`<li class="row-item"><div class="row-line"><span class="row-main"><a href="${home}${MADE_PATHS[kind]}/${id}"><b>${name}</b></a><span class="soft">${words.made[kind]}</span></span></div></li>`,
  )
  return html`<p class="hint">${words.goesOn}</p><ul class="row-list card">${rows}</ul>`
}

function leftPage({ language, base }: Visit): Page {
  const words = TEAM_WORDS[language].member
  const content = html`<section class="empty"><h1>${words.left}</h1><p>${words.leftText}</p><p class="empty-ways"><a class="button main" href="${base}">${words.toConsole}</a></p></section>`
  return { title: words.left, section: null, content }
}

function onMember(
  which: Which,
  operation: FormRoute['operation'],
  more: Partial<Pick<FormRoute, 'call' | 'done' | 'stepUp' | 'changedMeanwhile'>> = {},
): FormRoute {
  return {
    method: 'POST',
    path: `${TEAM_PATH}/:userId/${which}`,
    operation,
    call: (visit) => ({ params: { userId: paramOf(visit, 'userId') } }),
    done: (visit) => `${TEAM_PATH}/${paramOf(visit, 'userId')}`,
    again: (visit, form) => memberPage(visit, { which, form }),
    ...more,
  }
}

const ROLE_FIELDS = (visit: Visit): Field[] => [
  { kind: 'radio', path: '/role', label: TEAM_WORDS[visit.language].member.role, options: [] },
]

// Somebody else may have changed the role since the form was opened.
async function changedRole(visit: Visit, typed: URLSearchParams): Promise<Change[]> {
  const member = await memberOf(visit)
  if (member === undefined) return []
  const { roles } = visit.words
  return changesSince(typed, { role: member.role }, ROLE_FIELDS(visit), (_, value) =>
    isRole(String(value)) ? roles[String(value) as keyof typeof roles] : String(value),
  )
}

export const memberRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${TEAM_PATH}/:userId`,
    scope: 'team:read',
    show: (visit) => memberPage(visit),
  },
  onMember('role', changeTeamMemberOperation, {
    stepUp: true,
    call: (visit, typed) => ({
      params: { userId: paramOf(visit, 'userId') },
      body: bodyOf(ROLE_FIELDS(visit), typed),
    }),
    changedMeanwhile: changedRole,
  }),
  onMember('sessions', endTeamSessionsOperation),
  onMember('remove', removeTeamMemberOperation, {
    stepUp: true,
    done: (visit) =>
      paramOf(visit, 'userId').toLowerCase() === visit.signedIn.user.userId ? leftPage(visit) : TEAM_PATH,
  }),
]
