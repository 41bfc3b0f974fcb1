// The public entry of ZEN within the engine.
