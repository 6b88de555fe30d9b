// Which addresses of a provider we call. Whoever could name any would have us send credentials, and read what a network of ours
// answers, from inside.

export type ConnectionRules = {
  readonly environment: 'staging' | 'production'
  // Hosts that connections may call besides their provider's own. Null: any.
  readonly connectionHosts: readonly string[] | null
}

// What is wrong with it, as the end of a sentence that begins with the field's name.
export function addressProblem(
  text: string,
  title: string,
  domains: readonly string[],
  { environment, connectionHosts }: ConnectionRules,
): string | undefined {
  const url = URL.parse(text)
  if (url === null || url.hostname === '' || !/^https?:$/.test(url.protocol))
    return environment === 'production' ? 'must begin with https://' : 'must begin with https:// or http://'
  if (environment === 'production' && url.protocol !== 'https:') return 'must begin with https://'
  if (url.username !== '' || url.password !== '' || text.includes('@'))
    return 'must not contain a user name or password'
  if (/[?#]/.test(text)) return 'must not contain a query or a fragment'
  if (connectionHosts === null || connectionHosts.includes(url.hostname)) return undefined
  if (domains.some((domain) => url.hostname === domain || url.hostname.endsWith(`.${domain}`)))
    return undefined
  return `must be on ${domains.join(' or ')}, where ${title} is, or on a host that the operator allows with CONNECTION_HOSTS`
}
