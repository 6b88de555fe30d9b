// Which URLs a merchant may register for its events. The check is a courtesy, so that a mistake is reported at once. What a
// name resolves to is only known, and only checked, when we connect (address-guard.ts).

import { isIP } from 'node:net'
import { isPublicAddress } from './address-guard.ts'

export type EndpointUrlRules = { readonly allowPrivate: boolean; readonly production: boolean }

// What is wrong with the URL, as the end of a sentence that begins with the field's name.
export function endpointUrlProblem(text: string, rules: EndpointUrlRules): string | undefined {
  if (text.length > MAX_URL_CHARACTERS) return TOO_LONG
  // The parser drops these silently, so the merchant would see another URL than the one we call.
  if (/[\s\p{Cc}\p{Cf}]/u.test(text)) return 'must not contain spaces or invisible characters'
  // The parser turns octal, hexadecimal, decimal, short and full-width spellings into one form, which is checked below.
  const url = URL.parse(text)
  if (url === null) return 'must be an absolute URL'
  if (url.href.length > MAX_URL_CHARACTERS) return TOO_LONG
  if (url.protocol !== 'https:' && (rules.production || url.protocol !== 'http:'))
    return rules.production ? 'must begin with https://' : 'must begin with https:// or http://'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (text.includes('#')) return 'must not contain a fragment (#)'
  return hostProblem(url.hostname, rules)
}

// Long enough for any real URL, and supported by most software.
const MAX_URL_CHARACTERS = 2_048
const TOO_LONG = `must have at most ${MAX_URL_CHARACTERS} characters`
// The limit of DNS itself.
const MAX_HOST_CHARACTERS = 253

// Names that never belong to a server on the public internet, with all their subdomains.
const PRIVATE_NAMES = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa', 'onion']

function hostProblem(hostname: string, { allowPrivate }: EndpointUrlRules): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) !== 0) return allowPrivate || isPublicAddress(address) ? undefined : NOT_PUBLIC
  const name = hostname.replace(/\.$/, '')
  if (name.length > MAX_HOST_CHARACTERS || !name.split('.').every(isLabel)) return 'must name a valid host'
  if (allowPrivate) return undefined
  const isPrivate = PRIVATE_NAMES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))
  // The local network appends its own domain to a name without a dot.
  return isPrivate || !name.includes('.') ? NOT_PUBLIC : undefined
}

const NOT_PUBLIC = 'must name a host on the public internet'

function isLabel(label: string): boolean {
  return label.length > 0 && label.length <= 63
}
