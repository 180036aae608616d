const { slug } = require("./slug.js");

const cases = [
  ["Hello, World!", "hello-world"],
  ["Crème brûlée", "creme-brulee"],
  ["Ångström units", "angstrom-units"],
  ["  --  ", ""],
];
cases.forEach(([title, wanted], at) => {
  const isRight = slug(title) === wanted;
  console.log(`${isRight ? "ok" : "not ok"} ${at + 1} - ${title}`);
});
