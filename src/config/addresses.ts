/** The address of the flow of end users where nobody says another: below that of the service, `issuer`. */
export const inquiriesBelow = (issuer: string): string => `${issuer.replace(/\/$/, '')}/inquiries`;
