// The words of the suspense desk.

import { wordsOf } from '../../core/html.ts'
import type { Fit } from '../../core/ledger/suspense-candidate.ts'
import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  title: 'Por identificar',
  text: 'Dinero que llegó tarde, dos veces, por otro valor o para un cobro que no existe. Decide si se devuelve a quien lo envió o si es tuyo.',
  undecided: 'Por decidir',
  all: 'Todo',
  none: 'No hay dinero por identificar',
  noneText: 'Cuando llegue dinero que no corresponde a ningún cobro abierto, aparece aquí.',
  older: 'Más antiguo',
  arrived: (time: string) => `Llegó ${time}`,
  fields: {
    left: 'Queda',
    reason: 'Por qué está aquí',
    rail: 'Medio',
    payment: 'Pago en la red',
    payin: 'Cobro que nombró la red',
    attachedTo: 'Asignado al cobro',
    arrived: 'Llegó',
  },
  returning: {
    title: 'La red no ha dicho si devolvió el dinero.',
    text: 'Vuelve a pedir la devolución: le preguntamos con la misma referencia, y nunca sale dos veces.',
  },
  candidates: {
    title: 'Cobros que pueden ser',
    text: 'Los más parecidos primero, con lo que coincide.',
    none: 'No encontramos ningún cobro parecido en la semana anterior.',
  },
  fits: wordsOf<Fit>({
    NAMED: 'lo nombró la red',
    SAME_AMOUNT: 'mismo valor',
    SAME_KEY: 'misma llave',
    SAME_PAYER: 'misma persona',
    NEAR_IN_TIME: 'misma hora',
  }),
  attach: {
    title: 'Asignar a un cobro',
    text: 'El dinero pasa a tu saldo disponible, o al de tus proveedores si llegó por una conexión. El cobro queda como está.',
    payin: 'Cobro',
    other: 'Otro cobro',
    otherHint: 'El id de cualquier cobro tuyo. Si lo escribes, cuenta este.',
    submit: 'Asignar',
  },
  giveBack: {
    title: 'Devolver',
    text: 'El dinero vuelve a la cuenta de donde salió. No se puede deshacer.',
    submit: 'Devolver a quien lo envió',
    again: 'Volver a pedir la devolución',
  },
  note: {
    title: 'Nota',
    text: 'Para tu equipo. Se guarda cifrada.',
    label: 'Nota',
    submit: 'Guardar la nota',
  },
}

export type SuspenseWords = typeof es

const en: SuspenseWords = {
  title: 'Suspense',
  text: 'Money that came late, twice, in another amount or for a payin that does not exist. Decide whether it goes back to whoever sent it, or is yours.',
  undecided: 'To decide',
  all: 'All',
  none: 'There is no money in suspense',
  noneText: 'When money comes that fits no open payin, it shows here.',
  older: 'Older',
  arrived: (time) => `Arrived ${time}`,
  fields: {
    left: 'Left',
    reason: 'Why it is here',
    rail: 'Rail',
    payment: 'The network’s payment',
    payin: 'Payin that the network named',
    attachedTo: 'Attached to the payin',
    arrived: 'Arrived',
  },
  returning: {
    title: 'The network has not said whether it returned the money.',
    text: 'Ask for the return again: we ask under the same reference, and it never leaves twice.',
  },
  candidates: {
    title: 'Payins that it may be meant for',
    text: 'The likeliest first, with what they have in common.',
    none: 'We found no payin like it in the week before.',
  },
  fits: {
    NAMED: 'the network named it',
    SAME_AMOUNT: 'same amount',
    SAME_KEY: 'same key',
    SAME_PAYER: 'same person',
    NEAR_IN_TIME: 'same hour',
  },
  attach: {
    title: 'Attach to a payin',
    text: 'The money moves to your available balance, or to what is at your providers if it came over a connection. The payin stays as it is.',
    payin: 'Payin',
    other: 'Another payin',
    otherHint: 'The id of any payin of yours. If you type one, it counts.',
    submit: 'Attach',
  },
  giveBack: {
    title: 'Return',
    text: 'The money goes back to the account that it came from. This cannot be undone.',
    submit: 'Return to whoever sent it',
    again: 'Ask for the return again',
  },
  note: {
    title: 'Note',
    text: 'For your team. It is kept sealed.',
    label: 'Note',
    submit: 'Save the note',
  },
}

export const SUSPENSE_WORDS: Readonly<Record<UserLanguage, SuspenseWords>> = { es, en }
