curl "$REGALO_URL/api/gift-link" \
  -H "CLIENT-ID: $CLIENT_ID" -H "API-KEY: $API_KEY" -H "API-PASSWORD: $API_PASSWORD" \
  -H "Content-Type: application/json" \
  -d '{
    "order_ref_id": "my-first-gift",
    "product_id": 1007,
    "currency": "AUD",
    "base_location": "AU",
    "recipient_details": [
      { "first_name": "Marisol", "last_name": "Quintana", "email": "marisol.quintana@example.com" }
    ]
  }'
