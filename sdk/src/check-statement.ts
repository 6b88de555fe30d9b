// Checks a signed statement without the server. It is a copy of the server's own check, which is also what /verify runs in a
// browser; a test compares them (test/sdk/receipts.test.ts).

export type StatementKey = { readonly kid: string; readonly x: string; readonly retiredAt: string | null }

export type StatementFacts = {
  readonly kind: 'payin' | 'payout' | 'evidence'
  /** Who was paid (payin), or who paid. */
  readonly merchant: string
  readonly taxId: string | null
  readonly amountInCents: number
  readonly currency: 'COP'
  /** When the payment had its result. Of one that is still open, when it was asked for. */
  readonly at: string
  readonly reference: string
  readonly rail: string
  /** The network's own name for the payment. */
  readonly trace: string | null
  /** Of a payout only: how it stands, and the key it goes to. */
  readonly status: string | null
  readonly key: string | null
  /** The whole evidence of a payout, where the statement holds it. */
  readonly evidence: Readonly<Record<string, unknown>> | null
}

export type CheckedStatement =
  | {
      readonly verdict: 'genuine'
      readonly keyId: string
      readonly receiptId: string
      readonly facts: StatementFacts
    }
  | { readonly verdict: 'altered' | 'unknown' }

// BEGIN of the function that the SDK and the page share.
export async function checkStatement(
  given: string,
  keys: readonly StatementKey[],
): Promise<CheckedStatement> {
  // A text that was pasted may have an address before it, and a full stop or words after it. One that is not whole up to the
  // first space may have line breaks in it.
  const statementIn = (pasted: string): string => {
    const begin = pasted.lastIndexOf('recaudo1.')
    const found = begin === -1 ? '' : (/^[\w.-]+/.exec(pasted.slice(begin))?.[0] ?? '')
    let end = found.length
    while (found[end - 1] === '.') end -= 1
    return found.slice(0, end)
  }
  const unbroken = statementIn(given)
  const text = /^(?:[\w-]+\.){4}[\w-]{86}$/.test(unbroken)
    ? unbroken
    : statementIn(given.replaceAll(/\s+/g, ''))
  if (text === '') return { verdict: 'unknown' }
  const [, keyId = '', receiptId = '', factsText = '', signatureText = '', ...rest] = text.split('.')
  const key = keys.find(({ kid }) => kid === keyId)
  const isWhole = /^[\w-]{43}$/.test(receiptId) && factsText !== '' && rest.length === 0
  // The last letter has four bits to spare: of the letters that mean the same bytes, only the one we write counts.
  const isSignature = /^[\w-]{85}[AQgw]$/.test(signatureText)
  // A text that was cut may have lost its key id too.
  if (key === undefined) return { verdict: isWhole && isSignature ? 'unknown' : 'altered' }
  if (!isWhole || !isSignature) return { verdict: 'altered' }

  const bytesOf = (encoded: string) =>
    Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  const publicKey = await crypto.subtle.importKey(
    'jwk',
    { kty: 'OKP', crv: 'Ed25519', x: key.x },
    'Ed25519',
    false,
    ['verify'],
  )
  const signed = new TextEncoder().encode(`recaudo receipt\n${text.slice(0, text.lastIndexOf('.'))}`)
  if (!(await crypto.subtle.verify('Ed25519', publicKey, bytesOf(signatureText), signed)))
    return { verdict: 'altered' }

  const [kind, merchant, taxId, amountInCents, seconds, reference, rail, trace, status, payee, evidence] =
    JSON.parse(new TextDecoder().decode(bytesOf(factsText)))
  // Whoever took a key that we retired could sign with it, but not for a payment from before. A minute for clocks that differ.
  if (key.retiredAt !== null && seconds * 1_000 > Date.parse(key.retiredAt) + 60_000)
    return { verdict: 'unknown' }
  const facts: StatementFacts = {
    kind,
    merchant,
    taxId,
    amountInCents,
    currency: 'COP',
    at: new Date(seconds * 1_000).toISOString(),
    reference,
    rail,
    trace,
    status: status ?? null,
    key: payee ?? null,
    evidence: evidence ?? null,
  }
  return { verdict: 'genuine', keyId, receiptId, facts }
}
// END
