// What the fields of a provider's credentials are called, as its own pages call them.

import type { UserLanguage } from '../../core/team/user.ts'

const es: Readonly<Record<string, string>> = {
  publicKey: 'Llave pública',
  privateKey: 'Llave privada',
  eventsSecret: 'Secreto de eventos',
  integritySecret: 'Secreto de integridad',
  payoutsApiKey: 'API key de Pagos a Terceros',
  payoutsUserPrincipalId: 'User principal id de Pagos a Terceros',
  payoutsAccountId: 'Cuenta desde la que se paga',
  payoutsEventsSecret: 'Secreto de eventos de Pagos a Terceros',
  paymentsUrl: 'Dirección de la API de cobros',
  payoutsUrl: 'Dirección de la API de pagos',
  clientId: 'Client id',
  clientSecret: 'Client secret',
  webhookSecret: 'Secreto de webhooks',
  accountId: 'Cuenta (bbtacc_…)',
  keys: 'Quién nombra las llaves: ours (Recaudo) o theirs (Mono)',
  url: 'Dirección de la API',
  login: 'Login del sitio',
  secretKey: 'Llave secreta (tranKey)',
}

const en: Readonly<Record<string, string>> = {
  publicKey: 'Public key',
  privateKey: 'Private key',
  eventsSecret: 'Events secret',
  integritySecret: 'Integrity secret',
  payoutsApiKey: 'API key of “Pagos a Terceros”',
  payoutsUserPrincipalId: 'User principal id of “Pagos a Terceros”',
  payoutsAccountId: 'Account that payouts are paid from',
  payoutsEventsSecret: 'Events secret of “Pagos a Terceros”',
  paymentsUrl: 'Address of the payments API',
  payoutsUrl: 'Address of the payouts API',
  clientId: 'Client id',
  clientSecret: 'Client secret',
  webhookSecret: 'Webhook secret',
  accountId: 'Account (bbtacc_…)',
  keys: 'Who names the keys: ours (Recaudo) or theirs (Mono)',
  url: 'Address of the API',
  login: 'Login of the site',
  secretKey: 'Secret key (tranKey)',
}

const NAMES: Readonly<Record<UserLanguage, Readonly<Record<string, string>>>> = { es, en }

export function credentialName(name: string, language: UserLanguage): string {
  return NAMES[language][name] ?? name
}
