export function chooseNode(options: {
  platform: string
  arch: string
  version: string
  path: string
  packages: Readonly<Record<string, { node: string }>>
  findNode: (packageName: string) => string | undefined
}): { node?: string; problem?: string }
