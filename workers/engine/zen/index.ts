// The public entry of ZEN within the engine. Implemented by compile.ts; see the signatures there.
