// Where the console is: its address, the links into it, and the site that passkeys belong to. Passkeys need a host name, so an
// installation on this machine is called localhost.

import { isIP } from 'node:net'
import { isThisMachine } from '../network-address.ts'

export function consoleUrl(publicUrl: string): string {
  const url = new URL(publicUrl)
  if (isIP(bareHost(url)) !== 0 && isThisMachine(bareHost(url))) url.hostname = 'localhost'
  // What stands before it, where the service is one of several behind an address.
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/console`
}

export function signInLink(publicUrl: string, token: string): string {
  return `${consoleUrl(publicUrl)}/sign-in/${token}`
}

export function invitationLink(publicUrl: string, token: string): string {
  return `${consoleUrl(publicUrl)}/invite/${token}`
}

// One alarm, or those that are open.
export function alarmsLink(publicUrl: string, organizationId: string, alarmId?: string): string {
  const page = `${consoleUrl(publicUrl)}/${organizationId}/alarms`
  return alarmId === undefined ? page : `${page}?alarm=${alarmId}`
}

export function notificationsLink(publicUrl: string, organizationId: string): string {
  return `${consoleUrl(publicUrl)}/${organizationId}/settings/notifications`
}

export type Site = { readonly origin: string; readonly rpId: string }

// The site of a page that was loaded from `origin`. Undefined if that is not ours, or has no host name.
export function siteOf(publicUrl: string, origin: string): Site | undefined {
  const isOurs = origin === new URL(publicUrl).origin || origin === new URL(consoleUrl(publicUrl)).origin
  return isOurs ? siteOfOrigin(origin) : undefined
}

// Of any page, ours or not.
export function siteOfOrigin(origin: string): Site | undefined {
  const url = URL.parse(origin)
  if (url === null || url.origin !== origin || isIP(bareHost(url)) !== 0) return undefined
  return { origin, rpId: url.hostname }
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}
