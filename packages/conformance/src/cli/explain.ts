import { type EndpointName, endpoints, errors, isEndpointName, isErrorCode, type Names } from '@storeport/core'
import { describeOperation } from '@storeport/core/openapi'
import { origins, type RequirementId } from '../engine/requirement.ts'
import { withQuery } from '../http/plain-http.ts'
import { curlLine } from '../report/curl-line.ts'
import { checks, requirementOf } from '../run/topics.ts'
import { createExamples, type Example } from './examples.ts'

/** Returns the output of `--explain`: a requirement, its checks, and example requests with the required response. */
export function explainRequirement(id: RequirementId, names: Names): string {
  const { sentence, level, reason, cause, risk } = requirementOf(id)
  const [response, ...requests] = exampleOf(id, names)
  const lines = requests.map((request) => curlLine('https://shop.example', request))
  return [
    `${id} (${origins[level]}): ${sentence}`,
    '',
    ...(risk === undefined ? [] : [`risk            ${risk}`]),
    `why it matters  ${reason}`,
    `usual cause     ${cause}`,
    `example         ${lines.join(`\n${' '.repeat(16)}`)}`,
    `response        ${response}`,
    'checks',
    ...checksOf(id).map((check) => `  ${check.id}: ${check.title}`),
    '',
  ].join('\n')
}

/** Returns the example of a requirement, with the complete response. Defaults to the documented request of an endpoint. */
export function exampleOf(id: RequirementId, names: Names): Example {
  const [response, ...requests] = createExamples(names, new Date().toISOString().slice(0, 10))[id] ?? []
  const hasData = requests.at(-1)?.method !== 'POST'
  if (response !== undefined) return [describeResponse(response, hasData ? ',"data":{…}' : ''), ...requests]
  const topics = checksOf(id).map((check) => [check.id.split('.')[0] ?? '', ...check.needs])
  const name: EndpointName = topics.flat().find((topic) => isEndpointName(topic)) ?? 'getSubscription'
  const { method, path } = endpoints[name]
  const { input, output } = describeOperation(name)
  const target = names.basePath + path
  const key = [names.apiKeyHeader, '<key>'] as const
  const request =
    method === 'GET'
      ? { method, target: withQuery(target, input), headers: [key] }
      : { method, target, headers: [key, jsonType], body: Buffer.from(JSON.stringify(input)) }
  return [describeResponse('success', output === undefined ? '' : `,"data":${JSON.stringify(output)}`), request]
}

const jsonType = ['Content-Type', 'application/json'] as const

function checksOf(id: RequirementId) {
  return checks.filter(({ requirements }) => requirements.includes(id))
}

/** Replaces an error code or `success` at the beginning of a response by the status and the body. */
function describeResponse(response: string, data: string): string {
  return response.replace(/^\w+/, (word) => {
    if (isErrorCode(word)) return `${errors[word].status} {"success":false,"error":{"code":"${word}","message":"…"}}`
    return word === 'success' ? `200 {"success":true${data}}` : word
  })
}
