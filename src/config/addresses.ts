/** Where others reach the service. */
export interface PublicAddresses {
  readonly issuer: string;
  readonly inquiryUrl: string;
}

/** What the settings say of it; null where they do not. */
interface AsSet {
  readonly port: number;
  readonly issuer: string | null;
  readonly inquiryUrl: string | null;
}

/** Of the API, unless PORT says another. */
export const usualPort = 3000;

/**
 * What is not set follows from what is: inquiries stand below the issuer, and the issuer is this machine at the service's
 * port, at the usual one where that is 0, since nobody knows which one the system will choose.
 */
export function publicAddresses({ port, issuer, inquiryUrl }: AsSet): PublicAddresses {
  const base = issuer ?? `http://localhost:${port === 0 ? usualPort : port}`;
  return { issuer: base, inquiryUrl: inquiryUrl ?? `${base.replace(/\/$/, '')}/inquiries` };
}
