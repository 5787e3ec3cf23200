import { endpoints, type Integration, shownParts } from '@storeport/core'
import pc from 'picocolors'
import type { RunningHost } from './start-host.ts'

/** What the host says when it listens: address, key, what the caller will show, and calls to paste. */
export function banner({ url, integration, keys, playgroundUrl, metricsUrl }: RunningHost): string {
  return [
    '',
    `  ${pc.bold('StorePort')} listens on ${pc.cyan(url)}`,
    ...(metricsUrl === undefined ? [] : [`  Metrics at ${pc.cyan(metricsUrl)}`]),
    ...(playgroundUrl === undefined
      ? []
      : ['', `  Open ${pc.cyan(playgroundUrl)}`, '  in a browser to see what a customer sees.']),
    ...(keys.made === undefined
      ? []
      : ['', `  ${pc.bold('API key')}  ${pc.yellow(keys.made)}  ${pc.dim('(shown once)')}`]),
    '',
    `  ${pc.bold('The caller will show')}`,
    ...shownParts(integration.offered).map(
      ({ title, isButton, shown }) => `    ${isButton ? '  ' : ''}${shown ? pc.green('✓') : pc.red('✗')} ${title}`,
    ),
    '',
    `  ${pc.bold('Try')}`,
    ...curlLines(url, integration, keys.shellWords).map((line) => `    ${line}`),
    '',
  ].join('\n')
}

/** Calls that work when they are pasted into a shell in the same folder. */
function curlLines(url: string, { basePath, apiKeyHeader }: Integration, keyWords: string): string[] {
  const curl = `curl -H "${apiKeyHeader}: ${keyWords}"`
  const at = (name: keyof typeof endpoints) => `${url}${basePath}${endpoints[name].path}`
  const body = `{"email":"subscription@example.com","product_id":"test_54321","one_time":true}`
  return [
    `${curl} ${at('listProducts')}`,
    `${curl} '${at('getSubscription')}?email=subscription@example.com'`,
    `${curl} -H 'Content-Type: application/json' -d '${body}' ${at('addProduct')}`,
  ]
}
