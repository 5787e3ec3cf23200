import { endpoints, isEndpointName, widgetTitles } from '@storeport/core'
import type { GroupName } from './report.ts'

/** What the groups of checks are called, in the order of the report. */
export const groupTitles: Readonly<Record<GroupName, string>> = {
  everyCall: 'Every call',
  ...widgetTitles,
  together: 'Customers, retries and load',
}

/** The group of a check, by its id: that of its endpoint's widget, or one of those that concern all. */
export function groupOf(id: string): GroupName {
  const [topic = ''] = id.split('.')
  if (isEndpointName(topic)) return endpoints[topic].widget
  return ['customers', 'state', 'retries', 'testMode', 'stress'].includes(topic) ? 'together' : 'everyCall'
}

/** Whether a text is the name of a group. */
export function isGroupName(name: string): name is GroupName {
  return Object.hasOwn(groupTitles, name)
}
