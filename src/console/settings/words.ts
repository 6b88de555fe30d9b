// The words of the frame of settings.

import { wordsOf } from '../../core/html.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import type { Part } from './parts.ts'

const es = {
  navigation: 'Partes de los ajustes',
  title: 'Ajustes',
  parts: wordsOf<Part, { name: string; text: string }>({
    business: { name: 'Comercio', text: 'Nombre, NIT, contacto y reglas de cobro.' },
    look: { name: 'Apariencia', text: 'Logo y color de tus páginas de pago.' },
    connections: { name: 'Conexiones', text: 'Tus cuentas en Wompi, Mono y PlacetoPay.' },
    keys: { name: 'Llaves y clientes', text: 'Con qué entran tus sistemas a la API.' },
    webhooks: { name: 'Webhooks', text: 'A dónde te avisamos de cada evento.' },
    notifications: { name: 'Avisos', text: 'A quién le escribimos cuando hay una alarma.' },
    approvals: { name: 'Aprobaciones', text: 'Qué debe revisar otra persona antes de hacerse.' },
    balance: { name: 'Saldo mínimo', text: 'Con cuánto disponible se abre una alarma.' },
    accounting: { name: 'Contabilidad', text: 'Cuentas del PUC, GMF estimado, comisiones y retenciones.' },
    team: { name: 'Equipo', text: 'Quién entra a la consola y qué puede hacer.' },
    audit: { name: 'Auditoría', text: 'Quién hizo qué, cuándo y desde dónde.' },
  }),
  proof: {
    text: 'Antes de enviar te pediremos confirmar que eres tú.',
    now: 'Confirmar ahora',
  },
  save: 'Guardar cambios',
  nothing: 'nada',
  edit: 'Editar',
  never: 'Nunca',
}

export type SettingsWords = typeof es

const en: SettingsWords = {
  navigation: 'Parts of the settings',
  title: 'Settings',
  parts: {
    business: { name: 'Business', text: 'Name, NIT, contact and the rules for collecting.' },
    look: { name: 'Look', text: 'Logo and colour of your payment pages.' },
    connections: { name: 'Connections', text: 'Your accounts at Wompi, Mono and PlacetoPay.' },
    keys: { name: 'Keys and clients', text: 'What your systems sign in to the API with.' },
    webhooks: { name: 'Webhooks', text: 'Where we tell you of each event.' },
    notifications: { name: 'Notifications', text: 'Whom we write to when there is an alarm.' },
    approvals: { name: 'Approvals', text: 'What somebody else must look at before it is done.' },
    balance: { name: 'Minimum balance', text: 'How little may be available before an alarm is raised.' },
    accounting: { name: 'Accounting', text: 'PUC accounts, GMF estimate, fees and withholdings.' },
    team: { name: 'Team', text: 'Who signs in to the console, and what they may do.' },
    audit: { name: 'Audit log', text: 'Who did what, when, and from where.' },
  },
  proof: {
    text: 'Before this is sent we will ask you to confirm that it is you.',
    now: 'Confirm now',
  },
  save: 'Save changes',
  nothing: 'nothing',
  edit: 'Edit',
  never: 'Never',
}

export const SETTINGS_WORDS: Readonly<Record<UserLanguage, SettingsWords>> = { es, en }
