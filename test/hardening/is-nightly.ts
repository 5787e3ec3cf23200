/** Whether the tests run many more rounds (STOREPORT_NIGHTLY=1). */
export const isNightly = process.env['STOREPORT_NIGHTLY'] === '1'
