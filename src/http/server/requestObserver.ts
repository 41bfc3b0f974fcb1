/** Hook for metrics; called once per request, so it must be quick and must not throw. */
export interface RequestObserver {
  answered(request: {
    readonly method: string;
    /** As in the OpenAPI document, or `none` where no route took it: never what the client wrote. */
    readonly route: string;
    readonly status: number;
    readonly code: string | undefined;
    readonly ms: number;
  }): void;
}
