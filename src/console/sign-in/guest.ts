// Whoever opens a page before they have signed in, or while they do. Somebody who has signed in already is known as well.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UserLanguage } from '../../core/team/user.ts'
import type { Context } from '../../flows/context.ts'
import { renderBare } from '../layout.ts'
import { isSeeOther, type Page, type SeeOther } from '../page.ts'
import { tooFastPage } from '../problem-pages.ts'
import { PRIVATE_HEADERS, seeOther, sendHtml } from '../send.ts'
import { sessionToken } from '../session-cookie.ts'
import { type ConsoleOptions, type Setting, settingOf } from '../setting.ts'
import { type PersonVisit, personVisit, returnAddress } from '../visit.ts'
import { en } from './words-en.ts'
import { es, type SignInWords } from './words-es.ts'

export type Guest = Setting & {
  readonly options: ConsoleOptions
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  // Nobody is named yet.
  readonly ctx: Context
  readonly person: PersonVisit | undefined
  readonly typed: URLSearchParams
  // Where they want to go. Always a page of ours.
  readonly to: string
  readonly said: SignInWords
}

export type GuestPage = Pick<Page, 'title' | 'content' | 'status' | 'said'>
// For the script.
export type Json = { readonly json: object }
export type GuestAnswer = GuestPage | SeeOther | Json

const WORDS: Readonly<Record<UserLanguage, SignInWords>> = { es, en }

export function guestRoute(
  options: ConsoleOptions,
  answer: (guest: Guest) => GuestAnswer | Promise<GuestAnswer>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => {
    const guest = await guestOf(options, request, reply)
    // What a stranger sends costs something, and so does looking up what they may have guessed. Whoever is too fast waits.
    const isCounted = guest.person === undefined && (request.method === 'POST' || isGuess(options, request))
    const wait = isCounted ? options.strangerWait?.(request) : undefined
    if (wait !== undefined) {
      const page = tooFastPage(guest, guest.base, wait)
      return sendHtml(request, reply.header('retry-after', wait), 429, renderBare(guest, page))
    }
    const answered = await answer(guest)
    if ('json' in answered) return reply.headers(PRIVATE_HEADERS).send(answered.json)
    if (isSeeOther(answered)) return seeOther(reply, answered.seeOther)
    return sendHtml(request, reply, answered.status ?? 200, renderBare(guest, answered))
  }
}

// A session's cookie that is nobody's, or the link of an invitation or a sign-in.
function isGuess(options: ConsoleOptions, request: FastifyRequest): boolean {
  return sessionToken(options, request) !== undefined || Object.keys(request.params as object).length > 0
}

async function guestOf(
  options: ConsoleOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Guest> {
  const person = await personVisit(options, request, reply)
  const setting = person ?? settingOf(options, request)
  const { environment, base, language, words, theme } = setting
  const typed = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
  const { to: wanted } = request.query as { to?: unknown }
  const to = returnAddress(setting, typeof wanted === 'string' ? wanted : typed.get('to'))
  const address = options.clientOf(request)
  const actor = {
    kind: 'person',
    id: null,
    name: null,
    sessionId: null,
    address,
    requestId: request.id,
  } as const
  return {
    ...{ environment, base, language, words, theme },
    options,
    request,
    reply,
    ctx: person?.ctx ?? { ...options.ctx, actor },
    person,
    typed,
    to,
    said: WORDS[language],
  }
}

// An address of ours that remembers where they want to go.
export function keeping({ base, to }: Pick<Guest, 'base' | 'to'>, path: string): string {
  return `${base}${path}${to === base ? '' : `?to=${encodeURIComponent(to)}`}`
}

export function paramOf({ request }: Pick<Guest, 'request'>, name: string): string {
  return (request.params as Record<string, string>)[name] ?? ''
}
