// The words of the pages about connections.

import type { Provider, Use } from '../../core/connections/provider.ts'
import { wordsOf } from '../../core/html.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import { withFullStop } from '../format.ts'

const es = {
  create: 'Conectar',
  empty: {
    title: 'Todavía no hay conexiones',
    text: 'Una conexión es tu cuenta en un proveedor. Los cobros y pagos que pueda llevar pasan por ella.',
    installation: 'Mientras tanto, los pagos van por las redes propias de esta instalación.',
  },
  order: 'En orden de preferencia: cada pago nuevo toma la primera que le sirva.',
  choose: 'Elige el proveedor',
  chooseLead: 'Necesitas una cuenta allá, y las llaves que te dieron.',
  title: (provider: string) => `Conectar ${provider}`,
  providers: wordsOf<Provider>({
    wompi: 'Cobros por PSE y pagos a llaves Bre-B.',
    mono: 'Cobros y pagos por Bre-B.',
    placetopay: 'Cobros por PSE.',
  }),
  uses: wordsOf<Use>({ BRE_B_IN: 'Cobros Bre-B', BRE_B_OUT: 'Pagos Bre-B', PSE_IN: 'Cobros PSE' }),
  environments: { test: 'Pruebas', live: 'Producción' },
  fields: {
    name: 'Nombre',
    nameHint: 'Para ti, por si tienes varias.',
    uses: 'Para qué la usas',
    priority: 'Preferencia',
    priorityHint: 'De 0 a 1.000. Gana la de número más bajo.',
    minimum: 'Desde qué valor',
    minimumHint: 'Los pagos menores van a otra conexión.',
    maximum: 'Hasta qué valor',
    maximumHint: 'Los pagos mayores van a otra conexión.',
    enabled: 'Usarla para pagos nuevos',
    enabledHint: 'Puedes crearla apagada, probarla y encenderla después.',
    neededFor: (uses: string) => `Para ${uses}.`,
    keepEmpty: 'Vacío, sigue la que hay.',
    usual: (value: string) => `Vacío, la usual: ${value}`,
    chooseOne: 'Elige al menos uno.',
  },
  credentials: 'Credenciales',
  credentialsHint: 'Se cifran al guardarlas y no se vuelven a mostrar.',
  submit: 'Conectar',
  on: 'Encendida',
  off: 'Apagada',
  range: {
    from: (amount: string) => `desde ${amount}`,
    to: (amount: string) => `hasta ${amount}`,
    all: 'Cualquier valor',
  },
  columns: { name: 'Conexión', uses: 'Para', amounts: 'Valores', priority: 'Preferencia', state: 'Estado' },
  notification: {
    title: 'Dirección de notificaciones',
    text: (provider: string) =>
      `Cópiala en ${provider} como dirección de eventos o webhooks. Así sabemos al momento qué pasó con cada pago.`,
  },
  test: {
    title: 'Probar',
    text: 'Le pregunta al proveedor algo inofensivo con cada credencial. No se mueve dinero.',
    submit: 'Probar la conexión',
    passed: 'Todo funciona.',
    failed: 'Hay algo por corregir.',
    // Of one thing that was tried.
    fine: 'bien',
  },
  settings: { title: 'Ajustes de la conexión' },
  rotate: {
    title: 'Cambiar credenciales',
    text: 'Escribe solo las que cambian. Durante 24 horas las anteriores todavía revisan las notificaciones.',
    submit: 'Cambiar credenciales',
    until: (time: string) => withFullStop(`Las credenciales anteriores revisan notificaciones hasta ${time}`),
    set: 'guardada',
    missing: 'sin poner',
  },
  remove: {
    title: 'Borrar la conexión',
    text: 'Se puede cuando ningún pago suyo esté abierto ni espere liquidación. Sus credenciales se borran.',
    submit: 'Borrar la conexión',
  },
  switchOn: 'Encender',
  switchOff: 'Apagar',
  created: 'Creada',
  environment: 'Ambiente',
}

export type ConnectionWords = typeof es

const en: ConnectionWords = {
  create: 'Connect',
  empty: {
    title: 'There is no connection yet',
    text: 'A connection is your account at a provider. Payments that it can carry go over it.',
    installation: 'Until then, payments go over this installation’s own networks.',
  },
  order: 'In order of preference: each new payment takes the first that fits.',
  choose: 'Choose the provider',
  chooseLead: 'You need an account there, and the keys that they gave you.',
  title: (provider) => `Connect ${provider}`,
  providers: {
    wompi: 'Payins over PSE and payouts to Bre-B keys.',
    mono: 'Payins and payouts over Bre-B.',
    placetopay: 'Payins over PSE.',
  },
  uses: { BRE_B_IN: 'Bre-B payins', BRE_B_OUT: 'Bre-B payouts', PSE_IN: 'PSE payins' },
  environments: { test: 'Test', live: 'Live' },
  fields: {
    name: 'Name',
    nameHint: 'For yourself, in case you have several.',
    uses: 'What it is used for',
    priority: 'Preference',
    priorityHint: 'From 0 to 1,000. The lowest number wins.',
    minimum: 'From which amount',
    minimumHint: 'Smaller payments go to another connection.',
    maximum: 'Up to which amount',
    maximumHint: 'Larger payments go to another connection.',
    enabled: 'Use it for new payments',
    enabledHint: 'You can create it switched off, test it, and switch it on later.',
    neededFor: (uses) => `For ${uses}.`,
    keepEmpty: 'Empty: the present one stays.',
    usual: (value) => `Empty: the usual one, ${value}`,
    chooseOne: 'Choose at least one.',
  },
  credentials: 'Credentials',
  credentialsHint: 'They are encrypted when stored, and never shown again.',
  submit: 'Connect',
  on: 'On',
  off: 'Off',
  range: {
    from: (amount) => `from ${amount}`,
    to: (amount) => `up to ${amount}`,
    all: 'Any amount',
  },
  columns: { name: 'Connection', uses: 'For', amounts: 'Amounts', priority: 'Preference', state: 'State' },
  notification: {
    title: 'Address for notifications',
    text: (provider) =>
      `Enter it at ${provider} as the address for events or webhooks, so that we know at once what became of each payment.`,
  },
  test: {
    title: 'Test',
    text: 'Asks the provider something harmless with each credential. No money moves.',
    submit: 'Test the connection',
    passed: 'Everything works.',
    failed: 'There is something to correct.',
    fine: 'fine',
  },
  settings: { title: 'Settings of the connection' },
  rotate: {
    title: 'Change credentials',
    text: 'Write only those that change. For 24 hours the ones before them still check notifications.',
    submit: 'Change credentials',
    until: (time) => withFullStop(`The credentials before these check notifications until ${time}`),
    set: 'stored',
    missing: 'not given',
  },
  remove: {
    title: 'Delete the connection',
    text: 'Possible once no payment of it is open or waits for settlement. Its credentials are deleted.',
    submit: 'Delete the connection',
  },
  switchOn: 'Switch on',
  switchOff: 'Switch off',
  created: 'Created',
  environment: 'Environment',
}

export const CONNECTION_WORDS: Readonly<Record<UserLanguage, ConnectionWords>> = { es, en }
