export const PoolPage = () => <main class="page" id="main"><h1>PoolPage</h1></main>;
