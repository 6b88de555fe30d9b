// The pages for what went wrong. Each says what happened, and where to go on.

import { html } from '../core/html.ts'
import type { Scope } from '../core/organizations/scope.ts'
import { ROLE_SCOPES, ROLES } from '../core/team/role.ts'
import { icon } from './icons.ts'
import type { Page } from './page.ts'
import type { Setting } from './setting.ts'
import type { Visit } from './visit.ts'
import type { Words } from './words/words.ts'

export function missingPage({ words }: Setting, home: string): Page {
  const { title, text } = words.problem.missing
  return problem({ words, title, text, status: 404, home })
}

// Names the right that is missing, and the roles that have it.
export function lackingPage({ words, role, home }: Visit, scope: Scope): Page {
  const { lacking } = words.problem
  const text = lacking.text(words.rights[scope], words.roles[role])
  const page = problem({ words, title: lacking.title, text, status: 403, home })
  return {
    ...page,
    content: html`${page.content}<p class="after-problem">${lacking.who(rolesWith(words, scope, words.and))}</p>`,
  }
}

// Such as "Owner, Administrator or Developer".
export function rolesWith(words: Words, scope: Scope, joint: string): string {
  const names = ROLES.filter((role) => ROLE_SCOPES[role].includes(scope)).map((role) => words.roles[role])
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${joint} ${last}`
}

export function foreignPage({ words }: Setting, home: string): Page {
  const { title, text } = words.problem.foreign
  return problem({ words, title, text, status: 403, home })
}

export function unreadablePage({ words }: Setting, home: string, status: number): Page {
  const { title, text } = words.problem.unreadable
  return problem({ words, title, text, status, home })
}

export function tooFastPage({ words }: Setting, home: string, seconds: number): Page {
  const { title, text } = words.problem.tooFast
  return problem({ words, title, text: text(seconds), status: 429, home })
}

export function brokenPage({ words }: Setting, home: string, requestId: string): Page {
  const { title, text, request } = words.problem.broken
  const page = problem({ words, title, text, status: 503, home })
  return {
    ...page,
    content: html`${page.content}<p class="after-problem">${request}: <code>${requestId}</code></p>`,
  }
}

type Problem = { words: Words; title: string; text: string; status: number; home: string }

function problem({ words, title, text, status, home }: Problem): Page {
  const content = html`<section class="problem"><p class="problem-mark">${icon('warning')}</p><h1>${title}</h1><p>${text}</p><p><a class="button" href="${home}">${words.problem.home}</a></p></section>`
  return { title, section: null, status, content }
}
