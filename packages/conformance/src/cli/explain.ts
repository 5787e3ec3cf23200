import { type EndpointName, endpoints, errors, isEndpointName, isErrorCode, type Names } from '@storeport/core'
import { describeOperation } from '@storeport/core/openapi'
import { origins, type RequirementId } from '../engine/requirement.ts'
import { withQuery } from '../http/plain-http.ts'
import { curlLine } from '../report/curl-line.ts'
import { checks, requirementOf } from '../run/topics.ts'

/** Returns the output of `--explain`: a requirement, its checks, and an example request with the required response. */
export function explainRequirement(id: RequirementId, names: Names): string {
  const { sentence, level, reason, cause, risk } = requirementOf(id)
  const citing = checks.filter(({ requirements }) => requirements.includes(id))
  const name = endpointOf(citing.map((check) => [check.id.split('.')[0] ?? '', ...check.needs]))
  const { method, path } = endpoints[name]
  const { input } = describeOperation(name)
  const target = names.basePath + path
  const key = [names.apiKeyHeader, '<key>'] as const
  const request =
    method === 'GET'
      ? { method, target: withQuery(target, input), headers: [key] }
      : { method, target, headers: [key, jsonType], body: Buffer.from(JSON.stringify(input)) }
  return [
    `${id} (${origins[level]}): ${sentence}`,
    '',
    ...(risk === undefined ? [] : [`risk            ${risk}`]),
    `why it matters  ${reason}`,
    `usual cause     ${cause}`,
    `example         ${curlLine('https://shop.example', request)}`,
    `response        ${exampleResponse(name, sentence)}`,
    'checks',
    ...citing.map((check) => `  ${check.id}: ${check.title}`),
    '',
  ].join('\n')
}

const jsonType = ['Content-Type', 'application/json'] as const

function endpointOf(names: readonly (readonly string[])[]): EndpointName {
  return names.flat().find((name) => isEndpointName(name)) ?? 'getSubscription'
}

/** Returns an error response if the requirement names an error code; otherwise, returns a success response. */
function exampleResponse(name: EndpointName, sentence: string): string {
  const code = [...sentence.matchAll(/`(\w+)`/g)].map(([, word]) => word ?? '').find(isErrorCode)
  if (code !== undefined) return `${errors[code].status} {"success":false,"error":{"code":"${code}","message":"…"}}`
  const { output } = describeOperation(name)
  return `200 ${JSON.stringify({ success: true, ...(output !== undefined && { data: output }) })}`
}
