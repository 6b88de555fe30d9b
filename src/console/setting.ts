// What every page of the console knows, whoever looks at it: the language, the colours, where the console is.

import type { FastifyRequest } from 'fastify'
import { LANGUAGES, type UserLanguage } from '../core/team/user.ts'
import type { Context, Environment } from '../flows/context.ts'
import type { Live } from './live/live.ts'
import { WORDS, type Words } from './words/words.ts'

export type ConsoleOptions = {
  // The pages' part of the connections.
  readonly ctx: Context
  readonly live: Live
  readonly environment: Environment
  // Where browsers reach the service. Its path, if any, stands before /console.
  readonly publicUrl: string
  // The address of whoever asks, as far as it is known.
  readonly clientOf: (request: FastifyRequest) => string | null
  // For a request that nobody has signed in for. Seconds to wait, or undefined where it may go on.
  readonly strangerWait?: (request: FastifyRequest) => number | undefined
  // Receives the error. The person only sees that something failed, and the request id.
  readonly onError?: (error: unknown, request: FastifyRequest) => void
}

export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export type Setting = {
  readonly environment: Environment
  // `/console`, or what stands before it too.
  readonly base: string
  readonly language: UserLanguage
  readonly words: Words
  readonly theme: Theme
}

export const THEME_COOKIE = 'recaudo_theme'

// Before anybody has signed in, the browser says which language. Spanish is for whoever says nothing.
export function settingOf(
  options: ConsoleOptions,
  request: FastifyRequest,
  language?: UserLanguage,
): Setting {
  const spoken = language ?? preferredLanguage(request.headers['accept-language'])
  const chosen = cookieOf(request, THEME_COOKIE)
  return {
    environment: options.environment,
    base: baseOf(options),
    language: spoken,
    words: WORDS[spoken],
    theme: THEMES.find((theme) => theme === chosen) ?? 'auto',
  }
}

export function baseOf({ publicUrl }: Pick<ConsoleOptions, 'publicUrl'>): string {
  return `${new URL(publicUrl).pathname.replace(/\/$/, '')}/console`
}

// The address of what was asked for, as browsers know it: a proxy takes what stands before /console off the path.
export function publicAddressOf(
  { base }: Pick<Setting, 'base'>,
  { url }: Pick<FastifyRequest, 'url'>,
): string {
  return `${base.slice(0, -'/console'.length)}${url}`
}

export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}

// The rest of a longer header is ignored.
const MAX_HEADER_LENGTH = 200

function preferredLanguage(header = ''): UserLanguage {
  const wanted = header.slice(0, MAX_HEADER_LENGTH).toLowerCase().split(',')
  const spoken = wanted.map((range) => range.trim().slice(0, 2))
  return spoken.find((one): one is UserLanguage => LANGUAGES.some((known) => known === one)) ?? 'es'
}
