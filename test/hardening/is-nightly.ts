/** With STOREPORT_NIGHTLY=1 the tests take the time for many more rounds. */
export const isNightly = process.env['STOREPORT_NIGHTLY'] === '1'
