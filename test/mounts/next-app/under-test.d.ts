/** The integration that a test serves through Next, which runs in the same process. */
declare var storeportUnderTest: import('@storeport/core').Integration | undefined
