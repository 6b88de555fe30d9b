// What a parser made of the bytes of one connection: told piece by piece, then, perhaps, that the other side has ended it.

export type Reading = {
  // 'waiting': neither complete nor refused, with all bytes read.
  readonly outcome: 'whole' | 'refused' | 'waiting'
  readonly status: number | null
  readonly bodyBytes: number
  // Whether another request may be written on the connection, before the other side ends it.
  readonly isReusable: boolean
}

export type Bytes = { readonly pieces: readonly Buffer[]; readonly ends: boolean }
