// The words of the search.

import type { FoundBy, FoundKind } from '../../core/search/result.ts'
import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  title: 'Buscar',
  label: 'Buscar en todo',
  placeholder: 'Referencia, CUS, llave, valor, documento, nombre…',
  button: 'Buscar',
  kinds: {
    payin: 'Cobros',
    payout: 'Pagos',
    paymentlink: 'Enlaces',
    paymentpage: 'Páginas',
    event: 'Eventos',
    webhookendpoint: 'Webhooks',
    transfer: 'Movimientos',
  } as Readonly<Record<FoundKind, string>>,
  by: {
    id: 'Identificador',
    trace: 'CUS o id de la red',
    reference: 'Referencia',
    key: 'Llave',
    document: 'Documento',
    email: 'Correo',
    phone: 'Teléfono',
    name: 'Nombre',
    url: 'Dirección',
    amount: 'Valor',
  } as Readonly<Record<FoundBy, string>>,
  columns: {
    name: 'Qué',
    status: 'Estado',
    amount: 'Valor',
    who: 'Quién',
    by: 'Coincide por',
    time: 'Creado',
  },
  readAs: 'Lo buscamos como',
  counted: (count: string, isOne: boolean) => (isOne ? '1 resultado' : `${count} resultados`),
  countedMore: (count: string) => `Más de ${count} resultados`,
  showMore: 'Ver más',
  allKinds: 'Todo',
  onlyMost: (count: string) => `Son los ${count} primeros. Escribe algo más preciso para ver otros.`,
  partial:
    'Muchas personas se llaman así y solo miramos las más recientes. Agrega otra palabra del nombre, o busca por documento.',
  hidden: 'Tu rol no ve datos personales, así que no busca por documento, correo, teléfono ni nombre.',
  none: (text: string) => `Nada coincide con “${text}”`,
  noneText:
    'Los nombres, documentos y correos se buscan por palabras completas. Una referencia se encuentra también por cómo empieza.',
  inside: 'Para buscar una parte cualquiera de la referencia, ve a su lista:',
  teach: {
    title: 'Encuentra cualquier cosa con lo que sepas de ella',
    text: 'Escribe o pega lo que tengas: no hace falta decir qué es.',
  },
  ways: [
    { by: 'id', example: '019a5c3e-7b1f-7c2a-9d4e-…', hint: 'Te lleva directo' },
    { by: 'reference', example: 'pedido-1042', hint: 'Completa, o cómo empieza' },
    { by: 'trace', example: '1234567', hint: 'Del comprobante de quien pagó' },
    { by: 'key', example: '@RC8K2M…', hint: 'La del cobro, o la de quien recibe' },
    { by: 'amount', example: '$ 1.250.000,50', hint: 'Con puntos o sin ellos' },
    { by: 'document', example: 'CC 1.020.304.050', hint: 'Con su tipo o sin él' },
    { by: 'email', example: 'ana@correo.co', hint: 'Completo' },
    { by: 'name', example: 'gómez ana', hint: 'Palabras completas, en cualquier orden' },
    { by: 'phone', example: '300 123 4567', hint: 'Con +57 o sin él' },
  ] as readonly { readonly by: FoundBy; readonly example: string; readonly hint: string }[],
}

const en: typeof es = {
  title: 'Search',
  label: 'Search everything',
  placeholder: 'Reference, CUS, key, amount, document, name…',
  button: 'Search',
  kinds: {
    payin: 'Payins',
    payout: 'Payouts',
    paymentlink: 'Links',
    paymentpage: 'Pages',
    event: 'Events',
    webhookendpoint: 'Webhooks',
    transfer: 'Movements',
  },
  by: {
    id: 'Id',
    trace: 'CUS or network id',
    reference: 'Reference',
    key: 'Key',
    document: 'Document',
    email: 'E-mail',
    phone: 'Phone',
    name: 'Name',
    url: 'Address',
    amount: 'Amount',
  },
  columns: {
    name: 'What',
    status: 'Status',
    amount: 'Amount',
    who: 'Who',
    by: 'Matches by',
    time: 'Created',
  },
  readAs: 'Searched as',
  counted: (count, isOne) => (isOne ? '1 result' : `${count} results`),
  countedMore: (count) => `More than ${count} results`,
  showMore: 'Show more',
  allKinds: 'Everything',
  onlyMost: (count) => `These are the first ${count}. Type something more precise to see others.`,
  partial:
    'Many people have this name, and only the newest were looked at. Add another word of it, or search by document.',
  hidden: 'Your role does not see personal data, so it does not search by document, e-mail, phone or name.',
  none: (text) => `Nothing matches “${text}”`,
  noneText:
    'Names, documents and e-mail addresses are searched by whole words. A reference is also found by how it begins.',
  inside: 'To search for any part of a reference, go to its list:',
  teach: {
    title: 'Find anything by what you know of it',
    text: 'Type or paste what you have: no need to say what it is.',
  },
  ways: [
    { by: 'id', example: '019a5c3e-7b1f-7c2a-9d4e-…', hint: 'Takes you straight there' },
    { by: 'reference', example: 'order-1042', hint: 'Whole, or how it begins' },
    { by: 'trace', example: '1234567', hint: 'From the payer’s receipt' },
    { by: 'key', example: '@RC8K2M…', hint: 'The payin’s, or the receiver’s' },
    { by: 'amount', example: '$1,250,000.50', hint: 'With separators or without' },
    { by: 'document', example: 'CC 1020304050', hint: 'With its type or without' },
    { by: 'email', example: 'ana@mail.co', hint: 'The whole address' },
    { by: 'name', example: 'gómez ana', hint: 'Whole words, in any order' },
    { by: 'phone', example: '300 123 4567', hint: 'With +57 or without' },
  ],
}

export type SearchWords = typeof es
export const SEARCH_WORDS: Readonly<Record<UserLanguage, SearchWords>> = { es, en }
