// The words about changes that wait: of connections, and of keys and clients.

import { wordsOf } from '../../core/html.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import type { CredentialAct } from '../../flows/credentials/approval.ts'

type ConnectionAct = 'connection.create' | 'connection.change' | 'connection.delete'

const es = {
  connections: wordsOf<ConnectionAct>({
    'connection.create': 'Si lo apruebas, se conecta esta cuenta y los cobros y pagos pueden pasar por ella.',
    'connection.change': 'Si lo apruebas, esta conexión cambia como ves aquí.',
    'connection.delete': 'Si lo apruebas, esta conexión se elimina con sus credenciales.',
  }),
  credentials: wordsOf<CredentialAct>({
    'apikey.create': 'Si lo apruebas, quien lo pidió puede crear esta llave, una sola vez.',
    'apikey.roll': 'Si lo apruebas, quien lo pidió puede renovar esta llave, una sola vez.',
    'apikey.change': 'Si lo apruebas, quien lo pidió puede ampliar los límites de esta llave, una sola vez.',
    'client.create': 'Si lo apruebas, quien lo pidió puede crear este cliente, una sola vez.',
    'client.roll': 'Si lo apruebas, quien lo pidió puede renovar el secreto de este cliente, una sola vez.',
    'client.change':
      'Si lo apruebas, quien lo pidió puede ampliar los límites de este cliente, una sola vez.',
  }),
  suspense: 'Si lo apruebas, este dinero puede volver a quien lo envió, una sola vez.',
  fields: {
    id: 'Id',
    rail: 'Red',
    paymentId: 'Pago en la red',
    payinId: 'Cobro',
    reason: 'Por qué no se identificó',
    name: 'Nombre',
    provider: 'Proveedor',
    environment: 'Ambiente',
    uses: 'Para qué',
    priority: 'Prioridad',
    minimumInCents: 'Desde',
    maximumInCents: 'Hasta',
    enabled: 'Encendida',
    credentialsSha256: 'Huella de las credenciales selladas',
    version: 'Versión',
    scopes: 'Qué puede hacer',
    expiresInDays: 'Días que dura',
    expiresAt: 'Vence',
    overlapHours: 'Horas que sigue sirviendo el anterior',
    maxPerSecond: 'Peticiones por segundo',
    allowedAddresses: 'Desde qué direcciones',
    payoutsPerDay: 'Pagos al día',
    payoutSumPerDay: 'Valor de pagos al día',
  } as Record<string, string>,
  changed: (field: string) => `${field} (nuevo)`,
  secret: 'secreto, sellado',
  all: 'todo',
  none: 'sin límite',
  yes: 'sí',
  no: 'no',
  perform: {
    title: 'Ya lo aprobaron: hazlo tú',
    text: (until: string) =>
      `Sirve una sola vez, hasta ${until}, y solo para exactamente esto. Si hay un secreto, se muestra una sola vez.`,
    submit: wordsOf<CredentialAct>({
      'apikey.create': 'Crear la llave',
      'apikey.roll': 'Renovar la llave',
      'apikey.change': 'Cambiar la llave',
      'client.create': 'Crear el cliente',
      'client.roll': 'Renovar el secreto',
      'client.change': 'Cambiar el cliente',
    }),
  },
  approvedForMaker: 'Lo aprobaron. Falta que lo haga quien lo pidió.',
  used: 'Lo aprobaron, y quien lo pidió ya lo hizo.',
}

type ChangeWords = typeof es

const en: ChangeWords = {
  connections: {
    'connection.create': 'If you approve, this account is connected, and payments can go over it.',
    'connection.change': 'If you approve, this connection changes as you see here.',
    'connection.delete': 'If you approve, this connection is deleted with its credentials.',
  },
  credentials: {
    'apikey.create': 'If you approve, whoever asked can create this key, once.',
    'apikey.roll': 'If you approve, whoever asked can roll this key, once.',
    'apikey.change': 'If you approve, whoever asked can loosen the limits of this key, once.',
    'client.create': 'If you approve, whoever asked can create this client, once.',
    'client.roll': 'If you approve, whoever asked can roll the secret of this client, once.',
    'client.change': 'If you approve, whoever asked can loosen the limits of this client, once.',
  },
  suspense: 'If you approve, this money can go back to whoever sent it, once.',
  fields: {
    id: 'Id',
    rail: 'Network',
    paymentId: 'Payment at the network',
    payinId: 'Payin',
    reason: 'Why it is unmatched',
    name: 'Name',
    provider: 'Provider',
    environment: 'Environment',
    uses: 'Used for',
    priority: 'Priority',
    minimumInCents: 'From',
    maximumInCents: 'Up to',
    enabled: 'Switched on',
    credentialsSha256: 'Digest of the sealed credentials',
    version: 'Version',
    scopes: 'What it may do',
    expiresInDays: 'Days it lasts',
    expiresAt: 'Expires',
    overlapHours: 'Hours the one before still works',
    maxPerSecond: 'Requests a second',
    allowedAddresses: 'From which addresses',
    payoutsPerDay: 'Payouts a day',
    payoutSumPerDay: 'Sum of payouts a day',
  },
  changed: (field) => `${field} (new)`,
  secret: 'secret, sealed',
  all: 'everything',
  none: 'no limit',
  yes: 'yes',
  no: 'no',
  perform: {
    title: 'Approved: now do it',
    text: (until) =>
      `It is good once, until ${until}, and for exactly this. If there is a secret, it is shown once.`,
    submit: {
      'apikey.create': 'Create the key',
      'apikey.roll': 'Roll the key',
      'apikey.change': 'Change the key',
      'client.create': 'Create the client',
      'client.roll': 'Roll the secret',
      'client.change': 'Change the client',
    },
  },
  approvedForMaker: 'It was approved. Whoever asked must do it now.',
  used: 'It was approved, and whoever asked has done it.',
}

export const CHANGE_WORDS: Readonly<Record<UserLanguage, ChangeWords>> = { es, en }
