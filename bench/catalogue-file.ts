// Writes a catalogue file with the given number of products, to measure publishing:
// node bench/catalogue-file.ts 10000 > products.json
const count = Number(process.argv[2] ?? 10_000);

const products = Array.from({ length: count }, (_, n) => ({
  product_id: 1_000_000 + n,
  product_sku: `BENCH-${String(n)}`,
  product_name: `Benchmark product ${String(n)}`,
  product_description: `<p>${"Made by hand, in small numbers, to be given away. ".repeat(16)}</p>`,
  product_short_description: "Made by hand, in small numbers.",
  product_type: "simple",
  digital_physical: n % 5 === 0 ? "digital" : "physical",
  price: "25.00",
  price_currency: "AUD",
  track_inventory: "Y",
  stock_status: "in_stock",
  stock_qty: "100",
  featured_image: "/images/products/long-table-hamper.svg",
  additional_images: ["/images/products/long-table-hamper-detail.svg"],
  product_vendor: {
    name: "Benchmark Goods",
    bio: "<p>Since this morning.</p>",
    logo: "",
    shipping_info: null,
    returns_info: null,
  },
  shipping_cost: 5,
  shipping_details: { weight: "0.5", length: "10", width: "10", height: "5" },
  available_location: ["AU", "NZ"],
}));

process.stdout.write(JSON.stringify({ products }));
