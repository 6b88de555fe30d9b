// Answers and events are kept as the text that was sent, and nearly all of a payin's text is names of fields. A text of a known shape
// is stored as the values alone; it is put together again byte for byte. Any other text is stored as it is.

type Shape = {
  readonly code: string
  // The first schema whose code knows the shape. Texts are written so only where no earlier version may read them.
  readonly since: number
  readonly literals: readonly string[]
  // The holes that hold the payload of a QR code.
  readonly qrHoles: readonly boolean[]
}

// A text of JSON has none of these characters: they are escaped there.
const MARK = '\u0001'
const BETWEEN = '\u0002'
const SAME_AS_BEFORE = '\u0003'
const EMPTY = '\u0004'
const QR_MARK = '\u0005'
const QR_BETWEEN = '\u0006'
const ANY_OF_THESE = new RegExp(`[${MARK}-${QR_BETWEEN}]`)
// The code of a text that has one of them all the same.
const AS_IT_IS = '0'

// What stands for a value, and for the payload of a QR code.
const HOLES = /[◦▫]/

const payin = (rail: string, source: string): string =>
  '{"id":"◦","amount":◦,"amountInCents":◦,"confirmedAmount":◦,"confirmedAmountInCents":◦,"currency":"COP","status":"◦",' +
  `"settlementStatus":◦,"rail":"${rail}","reference":"◦","description":◦,"metadata":◦,"paymentLinkId":◦,` +
  '"inlineCustomer":◦,"errorCode":◦,"createdAt":"◦","updatedAt":"◦","expiresAt":"◦","resultAt":◦,"chargebackAt":◦,' +
  '"chargebackAmountInCents":◦,"refundedAmountInCents":◦,"organizationId":"◦",' +
  `"sourceData":${source},"callbackUrl":◦}`

// A shape never changes: what was written by it is read by it. One that no longer fits stays, and a new one comes before it, with a
// code of its own and the schema that it comes with.
const SHAPES: readonly Shape[] = [
  shape(
    'a',
    58,
    payin(
      'BRE_B',
      '{"keyType":"QR_CODE","keyString":"◦","qrString":"qr:▫","qrPayload":"▫","checkoutUrl":"◦"}',
    ),
  ),
  shape('b', 58, payin('BRE_B', '{"keyType":"◦","keyString":◦,"checkoutUrl":"◦"}')),
  shape('c', 58, payin('PSE', '{"bank":"◦","pseUrl":"◦"}')),
]

// As emv-qr.ts writes it. The payload of another network is kept whole.
const QR_LITERALS = (
  '00020101021226◦0014CO.COM.RCD.LLA◦49250014CO.COM.RCD.RED0103RCD52040000530317054◦5802CO59◦6006BOGOTA' +
  '62130703WEB08020080290016CO.COM.RCD.CANAL0105ECOMM90◦0016CO.COM.RCD.TRXID01◦6304◦'
).split('◦')

// `oldestReader` is the oldest schema whose code may read what is stored.
export function packText(text: string, oldestReader: number): string {
  if (ANY_OF_THESE.test(text)) return text.startsWith(MARK) ? MARK + AS_IT_IS + text : text
  for (const { code, since, literals, qrHoles } of SHAPES) {
    const values = since > oldestReader ? undefined : valuesBetween(text, literals)
    if (values === undefined) continue
    return (
      MARK + code + values.map((value, at) => shortened(value, values[at - 1], qrHoles[at])).join(BETWEEN)
    )
  }
  return text
}

export function unpackText(stored: string): string {
  if (!stored.startsWith(MARK)) return stored
  const code = stored[MARK.length]
  const rest = stored.slice(MARK.length + 1)
  if (code === AS_IT_IS) return rest
  const found = SHAPES.find((one) => one.code === code)
  if (found === undefined) throw new Error(`a stored text has the shape ${code}, which a newer version made`)
  const values = rest.split(BETWEEN)
  if (values.length !== found.qrHoles.length)
    throw new Error(`a stored text of the shape ${code} is not whole`)
  let before = ''
  return values.reduce((text, short, at) => {
    before = lengthened(short, before)
    return text + before + found.literals[at + 1]
  }, found.literals[0] ?? '')
}

function shape(code: string, since: number, text: string): Shape {
  const holes = [...text].filter((character) => HOLES.test(character))
  return { code, since, literals: text.split(HOLES), qrHoles: holes.map((hole) => hole === '▫') }
}

// Undefined if the literals do not stand in the text in this order, the first at its beginning and the last at its end.
function valuesBetween(text: string, literals: readonly string[]): string[] | undefined {
  const [first = '', ...others] = literals
  if (!text.startsWith(first)) return undefined
  const values: string[] = []
  let from = first.length
  for (const literal of others) {
    const to = literal === '' ? text.length : text.indexOf(literal, from)
    if (to < 0) return undefined
    values.push(text.slice(from, to))
    from = to + literal.length
  }
  return from === text.length ? values : undefined
}

function shortened(value: string, before: string | undefined, isQr: boolean | undefined): string {
  if (value === 'null') return ''
  if (value === '') return EMPTY
  if (value === before) return SAME_AS_BEFORE
  const parts = isQr ? valuesBetween(value, QR_LITERALS) : undefined
  return parts === undefined ? value : QR_MARK + parts.join(QR_BETWEEN)
}

function lengthened(short: string, before: string): string {
  if (short === '') return 'null'
  if (short === EMPTY) return ''
  if (short === SAME_AS_BEFORE) return before
  if (!short.startsWith(QR_MARK)) return short
  return short
    .slice(QR_MARK.length)
    .split(QR_BETWEEN)
    .reduce((text, part, at) => text + part + QR_LITERALS[at + 1], QR_LITERALS[0] ?? '')
}
