// What can go wrong between "no database" and "a database that answers", told to the operator in one sentence
// that says what to do; the last lines of PostgreSQL's own words follow where there are any.
export class EmbeddedPostgresFailure extends Error {
  override name = 'EmbeddedPostgresFailure'

  constructor(sentence: string, lastLines = '', options?: ErrorOptions) {
    super(lastLines === '' ? sentence : `${sentence}\n${lastLines}`, options)
  }
}
