// Every text a payer reads, in Colombian Spanish. The English texts have this type, so a missing one does not compile.
// Texts whose wording PSE prescribes keep it, even where it says "usted".

import type { Rail } from '../../core/connections/rail.ts'
import { wordsOf } from '../../core/html.ts'
import type { IdType } from '../../core/identity-document.ts'
import type { PayinErrorCode, PayinStatus } from '../../core/payins/payin.ts'
import { withFullStop } from './format.ts'
import type { Language } from './language.ts'

export const es = {
  locale: 'es-CO',
  otherLanguage: { code: 'en' as Language, locale: 'en', name: 'English' },
  ribbon: 'Ambiente de pruebas: aquí no se mueve dinero real.',
  previewTitle: (amount: string, merchant: string) => `Pago de ${amount} a ${merchant}`,
  previewText: (reference: string) => `Referencia: ${reference}`,
  reference: 'Referencia',
  promise: 'Nunca te pedimos claves ni códigos de tu banco.',
  poweredBy: 'Página de pago de Recaudo.',
  until: (deadline: string) => `Puedes pagar hasta ${deadline} (hora de Colombia).`,
  timeLeft: 'Tiempo restante:',
  wait: 'Un momento…',

  rails: wordsOf<Rail, { name: string; hint: string }>({
    BRE_B: {
      name: 'Bre-B',
      hint: 'Con llave o QR, desde la app de tu banco o billetera. Llega en segundos y no te pide datos.',
    },
    PSE: { name: 'PSE', hint: 'Débito bancario PSE: autorizas el pago en la página de tu banco.' },
  }),

  choose: {
    title: 'Elige cómo pagar',
    titleOne: (rail: string) => `Paga con ${rail}`,
    bank: 'Tu banco',
    pickBank: 'Elige tu banco',
    mostUsed: 'Más usados',
    otherBanks: 'Otros bancos',
    testBanks: 'Pruebas',
    payer: 'Tus datos',
    name: 'Nombre completo o razón social',
    idType: 'Tipo de documento',
    pickIdType: 'Elige el tipo',
    idNumber: 'Número de documento',
    phone: 'Celular',
    phoneHint: 'Por ejemplo, 300 123 4567',
    email: 'Correo electrónico',
    consent: (merchant: string) =>
      `Al continuar autorizas a ${merchant} y a los bancos que intervienen a usar tus datos para hacer este pago (Ley 1581 de 2012).`,
    notYet: 'Todavía no se mueve dinero: tú autorizas el pago en tu banco o billetera.',
    submit: 'Continuar',
    submitOne: wordsOf<Rail>({ BRE_B: 'Ver la llave y el QR', PSE: 'Pagar con PSE' }),
  },
  idTypes: wordsOf<IdType>({
    CO_CC: 'Cédula de ciudadanía',
    CO_CE: 'Cédula de extranjería',
    CO_NIT: 'NIT (empresa)',
    PASSPORT: 'Pasaporte',
    MXN_RFC: 'RFC (México)',
  }),
  errors: {
    summary: (count: number) =>
      count === 1 ? 'Falta o está mal un dato' : `Faltan o están mal ${count} datos`,
    rail: 'Elige cómo quieres pagar.',
    bank: 'Elige tu banco en la lista.',
    bankNotEnabled: 'Ese banco no está disponible en este momento. Elige otro.',
    fixedBankNotEnabled: (bank: string) =>
      `${bank} no está disponible en este momento. No se movió dinero. Intenta más tarde o escríbele al comercio.`,
    name: 'Escribe tu nombre completo, solo con letras.',
    nameLong: 'El nombre puede tener hasta 120 caracteres.',
    idType: 'Elige el tipo de documento.',
    idNumber: 'Escribe el número de tu documento, solo con letras, números, puntos o guiones.',
    idNumberDigits: 'El número de la cédula tiene entre 3 y 10 dígitos.',
    checkDigit: 'El dígito de verificación del NIT no coincide. Revisa el número.',
    phone: 'Escribe un celular de 10 dígitos, o uno con + y el indicativo del país.',
    email: 'Escribe un correo como nombre@ejemplo.com.',
    terms: 'Marca la casilla para aceptar los términos y autorizar el tratamiento de tus datos.',
    termsChanged: 'Los términos cambiaron después de que abriste esta página. Léelos y acéptalos otra vez.',
    railNotAvailable: 'Ese medio de pago no está disponible en este momento. No se movió dinero.',
  },
  terms: {
    read: (provider: string) =>
      `${provider} procesa este pago con PSE. Lee estos documentos, que se abren en otra pestaña:`,
    links: {
      conditions: (provider: string) => `Términos y condiciones de ${provider}`,
      'personal-data': (provider: string) => `Tratamiento de datos personales de ${provider}`,
    },
    accept: (provider: string) =>
      `Acepto los términos y condiciones de ${provider} y autorizo el tratamiento de mis datos personales, como lo explican estos documentos.`,
  },
  away: {
    title: 'La conexión con los bancos no está disponible en este momento',
    text: 'No empezó ningún pago y no se perdió nada. No se movió dinero. Espera un momento e intenta de nuevo.',
  },

  breb: {
    howToPay: 'Cómo pagar',
    steps: (merchant: string, hasQr: boolean) => [
      'Abre la app de tu banco o billetera y entra a Bre-B.',
      `Pega la llave copiada y escribe el valor exacto${hasQr ? ', o usa el QR' : ''}.`,
      `Revisa que el pago sea para ${merchant} y confírmalo.`,
    ],
    qr: (amount: string, merchant: string) => `Código QR para pagar ${amount} a ${merchant} con Bre-B`,
    saveQr: 'Guardar',
    shareQr: 'Compartir',
    theQr: 'el QR',
    key: 'Llave',
    amount: 'Valor exacto',
    copyKey: 'Copiar llave',
    copy: 'Copiar',
    copied: 'Copiado',
    recipient: 'En tu app verás que le pagas a:',
    notAPassword: 'La llave no es una clave. Solo identifica a quién le pagas.',
    registering: 'Estamos registrando la llave…',
    registeringText:
      'En unos segundos podrás pagar: aquí verás la llave y el QR. Aún no se ha movido dinero. Esta página se actualiza sola.',
    waiting: 'Esperando tu pago: todavía no ha llegado dinero. Cuando llegue, esta página se actualiza sola.',
  },
  open: {
    paid: 'Ya pagué',
    checking: 'Consultando…',
    checked: 'Aún no vemos tu pago. A veces tarda unos minutos. Si ya pagaste, no pagues otra vez.',
    other: 'Pagar de otra forma',
    otherHint: 'Hazlo solo si aún no has pagado.',
    tooLate:
      'Este pago sigue en curso y por ahora no se puede cambiar. Si estás en tu banco, termínalo allí; aquí verás el resultado.',
  },
  bank: {
    yourBank: 'tu banco',
    preparing: (bank: string) => `Conectando con ${bank}`,
    preparingText:
      'Estamos preparando tu pago con PSE. En unos segundos te llevamos a la página de tu banco. Aún no se ha movido dinero.',
    preparingKey: 'Preparando tu llave',
    preparingKeyText: 'En unos segundos podrás pagar. Aún no se ha movido dinero.',
    forward: (bank: string) => `Te llevamos a ${bank}`,
    forwardText: 'Espera un momento. Si no pasa nada, toca el botón. Aún no se ha movido dinero.',
    go: (bank: string) => `Ir a ${bank}`,
    open: 'Tienes un pago abierto con PSE',
    openText: (bank: string) =>
      `Lo empezaste con ${bank} y aún no sabemos si el dinero salió de tu cuenta. Si no terminaste, continúa en la página de tu banco. Si ya pagaste, no pagues otra vez: en unos minutos verás aquí el resultado.`,
    unfinished: '¿No terminaste de pagar?',
    continue: (bank: string) => `Continuar en ${bank}`,
  },
  confirming: {
    title: 'Tu banco está confirmando el pago',
    titleBreb: 'Estamos confirmando tu pago',
    unsure: 'Todavía no sabemos si el dinero salió de tu cuenta. Si ya pagaste, no pagues otra vez.',
    overdue:
      'Ya pasó el tiempo para pagar y todavía no sabemos si el dinero salió de tu cuenta. No pagues otra vez.',
    verify: 'Por favor verificar si el débito fue realizado en el Banco.',
    live: 'Esta página se actualiza sola. También puedes cerrarla y volver con el mismo enlace.',
    check: 'Consultar ahora',
  },

  result: {
    approved: 'Pago aprobado',
    approvedText: (amount: string, merchant: string) => `${merchant} recibió tu pago de ${amount}.`,
    mailed: 'PSE suele enviar la confirmación a tu correo.',
    reversed: 'Este pago fue devuelto',
    reversedPart: 'Se devolvió una parte de este pago',
    reversedText: (amount: string, date: string, merchant: string) =>
      `La red devolvió ${amount} el ${date}, así que ${merchant} ya no tiene ese dinero. Si crees que es un error, escríbele.`,
    alreadyPaid: 'Este cobro ya está pagado',
    alreadyPaidOn: (date: string) => `Se pagó el ${date}`,
    alreadyPaidText: 'No tienes que pagar otra vez.',
    declined: 'El pago no se aprobó',
    canceled: 'Pago cancelado',
    lapsed: 'Se acabó el tiempo de este intento',
    expired: 'Este cobro venció',
    expiredOn: (date: string) => `Se podía pagar hasta el ${date}`,
    endedEarly: (merchant: string) => `${merchant} cerró este cobro`,
    endedEarlyOn: (date: string) => `Lo cerró antes de su vencimiento, el ${date}`,
    expiredText: (merchant: string) => `Pídele a ${merchant} un enlace nuevo si aún quieres pagar.`,
    unavailable: 'Este cobro no se puede pagar por ahora',
    unavailableText: (merchant: string) =>
      `${merchant} no tiene activo un medio de pago para este valor. Escríbele para pagar de otra forma.`,
    retry: 'Intentar de nuevo',
    stillClosing:
      'El banco aún no ha cerrado este intento, así que por ahora no puedes empezar otro. Si la página del banco sigue abierta, no pagues allí. Esta página se actualiza sola.',
    finalText: (merchant: string) => withFullStop(`Para intentarlo de nuevo, vuelve a ${merchant}`),
    back: (merchant: string) => `Volver a ${merchant}`,
    // # is replaced by the number of seconds.
    returning: 'Volverás al comercio en #\u00a0s.',
    stay: 'Quedarme aquí',
    close: 'Ya puedes cerrar esta página.',
    print: 'Imprimir comprobante',
    printDetails: 'Imprimir',
  },
  money: {
    none: 'No se movió dinero.',
    unsure:
      'No sabemos si el dinero salió de tu cuenta. Por favor verificar si el débito fue realizado en el Banco antes de intentar de nuevo.',
    mismatch: (arrived: string, due: string) => `Llegaron ${arrived} y el cobro es de ${due}.`,
    held: (merchant: string) =>
      `Si el dinero salió de tu cuenta, está a salvo, pero no se aplicó a este cobro. Escríbele a ${merchant} para que te lo devuelva. Si intentas de nuevo, paga el valor exacto.`,
    late: (merchant: string) =>
      `No recibimos dinero a tiempo. Si pagaste tarde, no pagues otra vez: escríbele a ${merchant} y muéstrale esta página.`,
  },
  reasons: wordsOf<PayinErrorCode>({
    EXPIRED: 'Se acabó el tiempo para pagar.',
    CANCELED_BY_PAYER: 'Cancelaste este pago.',
    CANCELED_BY_MERCHANT: 'El comercio canceló este pago.',
    AMOUNT_MISMATCH: 'Llegó un valor distinto al del cobro.',
    INSUFFICIENT_FUNDS: 'La cuenta no tenía fondos suficientes. Puedes usar otra cuenta.',
    ACCOUNT_INVALID: 'Tu banco no encontró una cuenta activa para este pago. Puedes usar otra cuenta.',
    ACCOUNT_BLOCKED: 'La cuenta está bloqueada para pagos. Puedes usar otra cuenta.',
    LIMIT_EXCEEDED: 'El valor supera el límite de tu cuenta. Sube el límite en tu banco o usa otra cuenta.',
    AUTHENTICATION_FAILED: 'Tu banco no pudo confirmar que eras tú. Revisa tus datos e intenta de nuevo.',
    BANK_UNAVAILABLE:
      'La entidad financiera no puede ser contactada para iniciar la transacción, por favor seleccione otra o intente más tarde.',
    BANK_DECLINED: 'Tu banco no autorizó el pago y no dijo por qué. Pregúntale o usa otra cuenta.',
    RISK_REJECTED: 'El pago no pasó los controles de seguridad. Usa otra cuenta o escríbele al comercio.',
    RAIL_ERROR: 'La red de pagos tuvo una falla.',
  }),

  contact: (merchant: string) => `¿Dudas? Escríbele a ${merchant}:`,
  receipt: {
    signed: 'Ver comprobante verificable',
    title: 'Comprobante',
    unpaidTitle: 'Datos de este intento',
    merchant: 'Comercio',
    taxId: 'NIT',
    status: 'Estado',
    method: 'Medio de pago',
    bank: 'Banco',
    cus: 'CUS',
    atProvider: (title: string) => `Número en ${title}`,
    transfer: 'Número de la transferencia',
    key: 'Llave',
    description: 'Descripción',
    ticket: 'Número de transacción',
    date: 'Fecha',
    amount: 'Valor',
    contact: 'Contacto del comercio',
  },
  statuses: wordsOf<PayinStatus>({
    PENDING: 'Pendiente',
    PROCESSING: 'Pendiente',
    CONFIRMED: 'Aprobada',
    DECLINED: 'Rechazada',
    CANCELED: 'Cancelada',
  }),

  problem: {
    notFound: 'Este enlace no existe',
    notFoundText:
      'Revisa que esté completo o pídele al comercio que te lo envíe otra vez. No se movió dinero con este enlace.',
    unreadable: 'No pudimos leer lo que enviaste',
    unreadableText: 'No se movió dinero. Vuelve a la página de pago e inténtalo de nuevo.',
    broken: 'No pudimos abrir tu pago en este momento',
    brokenText:
      'Si ya pagaste, tu pago sigue su curso: no pagues otra vez. Vuelve a abrir el enlace en un minuto.',
    tooFast: 'Espera un momento',
    tooFastText:
      'Recibimos muchas solicitudes seguidas. No se perdió nada: si ya pagaste, tu pago sigue su curso. Vuelve a abrir tu pago en un minuto.',
    reload: 'Abrir de nuevo',
  },
}

export type Words = typeof es
